# script/copy, by which tests get a tree of their own: what it takes of a clone and
# of a release archive, and that nobody has to keep still meanwhile.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $dir = PostgreSQL::Test::Utils::tempdir();
my $tree = "$dir/tree";
my $copies = 0;

sub in_tree
{
	my ($commands) = @_;
	system_or_bail 'sh', '-c', "cd '$tree' && $commands";
}

# The files of a new copy, but those of script/.
sub copied
{
	my ($what) = @_;
	my $copy = "$dir/copy" . ++$copies;

	command_ok([ "$tree/script/copy", $copy ], $what);
	my ($files) = run_command([ 'find', $copy, '!', '-type', 'd', '!', '-path', '*/script/*', '-printf', '%P ' ]);
	return join ' ', sort split / /, $files;
}

my %tree = ('Makefile' => 'all:', 'src/module.c' => 'int one;', 'src/module.o' => 'made',
	'dist/bundle.zip' => 'made', 'log/server' => 'started',
	'test/tmp_check/log' => 'said', 'site/node_modules/package' => 'fetched', 'sql/uidext--1.0.0.sql' => 'made',
	'sql/uidext--1.0.0--1.1.0.sql' => 'written');
system_or_bail 'mkdir', '-p', map { "$tree/$_" } 'script', 'test/expected', map { dirname($_) } keys %tree;
system_or_bail 'cp', (map { "$root/script/$_" } qw(copy earlier-scripts git.sh)), "$tree/script/";
append_to_file("$tree/$_", "$tree{$_}\n") foreach keys %tree;
in_tree('ln -s test/expected expected; ln -s src/module.c module.c');

is(copied('of a release archive'), 'Makefile log/server module.c sql/uidext--1.0.0--1.1.0.sql src/module.c',
	'all but what is made or fetched, and the link to expected outputs');

SKIP:
{
	skip 'no git', 12 if system('git --version >/dev/null 2>&1') != 0;

	append_to_file("$tree/.gitignore", "*.o\n/dist/\n/log/\n/test/tmp_check/\nnode_modules\n/sql/uidext--1.0.0.sql\n");
	append_to_file("$tree/src/gone.c", '');
	in_tree('git init -q . && git add . && rm src/gone.c && git init -q other');
	append_to_file("$tree/src/new.c", 'int two;');
	my $known = '.gitignore Makefile module.c sql/uidext--1.0.0--1.1.0.sql src/module.c src/new.c';
	is(copied('of a clone'), $known, 'what git tracks or does not ignore, as it is now');

	my $writer = IPC::Run::start([ 'perl', '-e',
		'for (;;) { for (@ARGV) { open my $file, ">>", $_; print $file "more\n" } unlink "main.o" }', 'src/module.c', 'main.o' ],
		init => sub { chdir $tree or die $! });
	is(copied('while a file grows, and others come and go'), $known, 'the same') foreach 1 .. 4;
	$writer->kill_kill;

	append_to_file("$tree/src/removed.c", '');
	append_to_file("$dir/cp", qq(#!/bin/sh\nrm -f src/removed.c\nPATH=\${PATH#*:} exec cp "\$@"\n));
	chmod 0755, "$dir/cp";
	local $ENV{PATH} = "$dir:$ENV{PATH}";
	is(copied('while a file is removed'), $known, 'without that file');
}

done_testing();
