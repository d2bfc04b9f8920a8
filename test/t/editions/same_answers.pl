# The C edition and the SQL edition give the same answers to random arguments,
# and raise the same errors.
#
# UIDEXT_LONG=1 asks both about many more, and others each time; UIDEXT_SEED
# repeats a run.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

plan skip_all => 'run by script/test, which says where the build is' unless $ENV{UIDEXT_BUILD};
plan skip_all => 'there is no C edition to compare with' if ($ENV{EDITION} // 'c') ne 'c';

my $include = dirname(__FILE__) . '/../include';
my $many = $ENV{UIDEXT_LONG} ? 1000 : 30;
my $seed = $ENV{UIDEXT_SEED} // ($ENV{UIDEXT_LONG} ? time : 0);

my $node = OneSession->new('answers');
$node->init;
$node->start;
$node->safe_psql('postgres', $_) foreach 'CREATE DATABASE c', 'CREATE DATABASE sql';

sub psql
{
	my ($database, @arguments) = @_;
	my ($out, $err);
	IPC::Run::run([ 'psql', '-qXAt', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($database), @arguments ], '>', \$out, '2>', \$err)
		or die "psql: $err";
	return split /\n/, $out;
}

my ($script) = grep { !/uninstall/ } split ' ', `make -s -C '$ENV{UIDEXT_BUILD}' portable`;
psql('c', '-c', 'CREATE EXTENSION uidext');
psql('sql', '-v', 'schema=public', '-f', "$ENV{UIDEXT_BUILD}/$script");

my ($c, $sql) = map { [ psql($_, '-c', "SET plpgsql.extra_errors = 'all'", '-v', "many=$many", '-v',
	"seed=$seed", '-f', "$include/answers.sql") ] } qw(c sql);
cmp_ok(@$c, '>', 100 * $many, 'many answers');
is(@$sql, @$c, 'as many of the SQL edition');
is(scalar(grep { / \| 42[0-9A-Z]{3}; / } @$c), 0, 'the C edition has all these functions');

my @other = grep { $c->[$_] ne $sql->[$_] } 0 .. $#$c;
is(@other, 0, "all of them the same, with UIDEXT_SEED=$seed");
diag("C:   $c->[$_]\nSQL: $sql->[$_]") foreach @other[ 0 .. ($#other < 9 ? $#other : 9) ];

done_testing();
