# script/watch, by which script/test names what hangs: beside processes and times that
# are invented, since nobody waits for a minute here.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

my $watch = abs_path(dirname(__FILE__) . '/../../../script/watch');
my $dir = PostgreSQL::Test::Utils::tempdir();
mkdir "$dir/$_" or die $! foreach 'bin', 'suites';

# it looks once: the second sleep fails
append_to_file("$dir/bin/sleep", "#!/bin/sh\nmkdir '$dir/slept' 2>/dev/null\n");
append_to_file("$dir/bin/ps", "#!/bin/sh\ncat '$dir/processes'\n");
my $now = time;
append_to_file("$dir/bin/date", "#!/bin/sh\necho $now\n");
chmod 0755, map { "$dir/bin/$_" } 'sleep', 'ps', 'date';
local $ENV{PATH} = "$dir/bin:$ENV{PATH}";

append_to_file("$dir/times", "pgtap 90\ntap:t/orders/quick.pl 1\ntap:t/orders/long.pl 100\n");
append_to_file("$dir/processes", <<'END');
 10     1  900 /bin/bash script/test
 20    10  900 /bin/bash script/test
 21    20  900 runuser -u postgres -- env TZ=UTC prove --jobs 4 t/orders/quick.pl t/orders/long.pl t/orders/new.pl
 25    21  900 /usr/bin/perl /usr/bin/prove --jobs 4 t/orders/quick.pl t/orders/long.pl t/orders/new.pl
 22    21   62 /usr/bin/perl t/orders/quick.pl
 23    21  120 /usr/bin/perl t/orders/long.pl
 26    23   61 /usr/bin/perl t/orders/long.pl
 24    21   59 /usr/bin/perl t/orders/new.pl
 30    10  900 /bin/bash script/test
 31    30  180 psql -d uidext_test --file /tmp/uidext.1/build/test/pgtap/orders.sql
 40     1  600 /usr/bin/perl t/orders/other.pl
END

# said N seconds ago
sub suite
{
	my ($name, $pid, $said) = @_;
	append_to_file("$dir/suites/$name.pid", "$pid $name\n");
	append_to_file("$dir/suites/$name.log", "== $name\norders/items ok\n");
	utime $now, $now - $said, "$dir/suites/$name.log" or die $!;
}

sub look
{
	rmdir "$dir/slept";
	my ($stdout, $stderr) = run_command([ $watch, "$dir/suites", "$dir/times" ]);
	is($stderr, '', 'nothing is wrong');
	return join "\n", sort split /\n/, $stdout;
}

suite('tap', 20, 0);
is(look(), 'tap: t/orders/quick.pl runs for 62 s (1 s last time)',
	'a test is named after a minute, unless it took more than half of that');
is(join('', sort split /^/m, slurp_file("$dir/suites/tap.tests")),
	"tap:t/orders/long.pl 120\ntap:t/orders/new.pl 59\ntap:t/orders/quick.pl 62\n",
	'how long each runs is kept');

suite('pgtap', 30, 121);
is(look(), join("\n",
	'pgtap has said nothing for 121 s (it took 90 s last time), after: orders/items ok',
	'pgtap: pgtap/orders.sql runs for 180 s',
	'tap: t/orders/quick.pl runs for 62 s (1 s last time)'), 'and a suite that says nothing');

append_to_file("$dir/suites/$_.outcome", "$_  passed  900 s\n") foreach 'tap', 'pgtap';
is(look(), '', 'none that has ended');

done_testing();
