# uidext.control states the version, and every other file agrees.  What a version
# was stays: its install script is made from its tag, its checksums tell.
use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

my $root = dirname(__FILE__) . '/../../..';

my ($version) = slurp_file("$root/uidext.control") =~ /^default_version = '(.*)'/m;
like($version, qr/^\d+\.\d+\.\d+$/, 'a semantic version');

my ($states) = run_command(["$root/script/stated-versions"]);
my @stated = split /\n/, $states;
cmp_ok(scalar @stated, '>', 4, 'other files state a version, too');
foreach (@stated)
{
	my ($file, $states_version) = split / /;
	is($states_version, $version, "version in $file");
}

# script/majors names the majors.
my @majors = slurp_file("$root/script/majors") =~ /^(\d+) /mg;
my ($oldest, $newest) = @majors[ 0, -1 ];
my %said = (
	'README.md' => "for PostgreSQL $oldest to $newest.",
	'doc/install.md' => "today $oldest to $newest,",
	'META.json' => qq("PostgreSQL": "$oldest.0.0"),
	'debian/pgversions' => "$oldest+");
like(slurp_file("$root/$_"), qr/\Q$said{$_}\E/, "$_ names the majors") foreach sort keys %said;

# PGXN looks for these in the bundle.
ok(-e "$root/$_", "META.json names $_, which is there") foreach slurp_file("$root/META.json") =~ /"(?:doc)?file": "(.*)"/g;

# A tag of an action can be moved to other code, a commit cannot.
my @actions = map { slurp_file($_) =~ /^ *(?:- )?uses: *(.*)$/mg } glob("$root/.github/workflows/*.yml");
is_deeply([ grep { !/^[\w.-]+\/[\w.-]+\@[0-9a-f]{40} # v\d+\.\d+\.\d+$/ } @actions ], [],
	'workflows name the commit of each action, and its version');

# What sql/released.sha256 lists, and script/freeze wrote, never changes.
# Of a version that is frozen the parts say nothing else: what changes after it is
# another version's.
my @frozen = grep { /  sql.*uidext--\Q$version\E\.sql$/ } split /\n/,
	-e "$root/sql/released.sha256" ? slurp_file("$root/sql/released.sha256") : '';
SKIP:
{
	skip "$version is not frozen", 2 unless @frozen;
	foreach my $edition ([ 'c', 'sql' ], [ 'portable', 'sql/portable' ])
	{
		my ($name, $dir) = @$edition;
		my ($sum) = run_command([ 'sh', '-c', 'make -s -C "$0" PGXS=/dev/null EDITION="$1" print-sql | sha256sum', $root, $name ]);
		$sum =~ s/-$/$dir\/uidext--$version.sql/;
		ok((grep { $_ eq $sum } @frozen), "$dir/uidext--$version.sql is what the parts in sql/ make")
		  or diag("Set default_version in uidext.control to the next version, and write its update: script/update-script $version");
	}
}

# Nothing that make can make lies in the tree: of the parts in sql/ it reads each one.
my %is_read;
foreach my $edition (qw(c portable))
{
	my ($commands) = run_command([ 'make', '-n', '-s', '-C', $root, 'PGXS=/dev/null', "EDITION=$edition", 'print-sql' ]);
	$is_read{$_} = 1 foreach $commands =~ m{sql/[\w./-]+}g;
}
my ($parts) = run_command([ 'sh', '-c', 'cd "$0" && find sql -name "*.sql" ! -name "uidext--*" -o -name "*.awk"', $root ]);
is(join("\n", grep { !$is_read{$_} } sort split /\n/, $parts), '',
	'make reads every part of the install script that the tree has');

# Freezing, in a copy of the tree that is the next version after another.
if (system('git --version >/dev/null 2>&1') != 0)
{
	note('no git: nothing is frozen here');
	done_testing();
	exit;
}
my $tree = PostgreSQL::Test::Utils::tempdir . '/tree';
system_or_bail 'sh', '-c', 'mkdir "$1" && cd "$0" && tar -cf - .gitignore Makefile META.json uidext.control \
	CHANGELOG.md SECURITY-INSIGHTS.yml debian/changelog debian/control debian/control.in rpm \
	site/pglite/package.json doc/install.md doc/managed.md doc/drivers.md sql src test/sql script |
	tar -C "$1" -xf -', $root, $tree;

sub in_tree
{
	my ($commands) = @_;
	return run_command([ 'sh', '-c', "cd '$tree' && $commands" ]);
}

# which drafts nothing but says from where
rename "$tree/script/update-script", "$tree/script/drafts" or die $!;
append_to_file("$tree/script/update-script", <<'SH');
#!/bin/sh
dir=sql
[ ! -e fails ] || [ $EDITION = c ] || exit 1
[ $EDITION = c ] || dir=sql/portable
echo "-- from $1" >$dir/uidext--$1--99.1.0.sql
SH
chmod 0755, "$tree/script/update-script";
in_tree(q(echo "0  sql/uidext--99.0.0.sql" >sql/released.sha256
	git init -q && sed -i "s/^default_version.*/default_version = '99.1.0'/" uidext.control));
my ($stdout, $stderr) = in_tree('script/freeze');
my $not_of = qr/ is not of 99\.1\.0/;
like($stderr,
	qr{first heading of CHANGELOG.md$not_of\n.*line 1 of debian/changelog$not_of\n.*%changelog in rpm/uidext.spec$not_of}s,
	'changelogs of another version are not dated');
unlike(slurp_file("$tree/sql/released.sha256"), qr/99\.1\.0/, 'and nothing is frozen');
in_tree('sed -i "0,/^## /s/^## .*/## 99.1.0 (unreleased)/" CHANGELOG.md &&
	sed -i "1s/(.*)/(99.1.0)/" debian/changelog &&
	sed -i "/^%changelog/{n; s/.*/* Sat Nov 21 2026 somebody - 99.1.0-1/}" rpm/uidext.spec');
my $state = 'find . -path ./.git -prune -o -type f -exec sha256sum {} + | sort';
my ($before) = in_tree("touch fails && $state");
($stdout, $stderr) = in_tree('script/freeze');
like($stderr, qr/99\.1\.0 is not frozen/, 'an update that cannot be drafted');
my ($after) = in_tree($state);
is($after, $before, 'leaves all files as they were');
in_tree('rm fails');
($stdout, $stderr) = in_tree('script/freeze');
like($stdout, qr/mkdir -p dist; \.ci\/run all >dist\/ci\.log; script\/release --proof dist\/ci\.log/,
	'frozen; what is left to do writes into no tree')
  or diag($stderr);
my $date = q{date=$(sed -n 's/^## 99.1.0 (\(.*\))$/\1/p' CHANGELOG.md)};
($stdout) = in_tree($date . q{ && LC_ALL=C date -u -d "$date" '+* %a %b %d %Y somebody - 99.1.0-1' &&
	sed '1,/^%changelog/d' rpm/uidext.spec});
like($stdout, qr/^(.+)\n\1(?:\n|$)/, 'all changelogs have the same date');
my $names_version = qr/(?:\buidext[-_]+|UIDEXT_VERSION=\S*?)(\d+\.\d+\.\d+)/;
my %of_pages = map { $_ => [ slurp_file("$tree/doc/$_.md") =~ /$names_version/g ] } qw(install managed);
foreach my $page (sort keys %of_pages)
{
	cmp_ok(scalar @{ $of_pages{$page} }, '>', 2, "doc/$page.md names files of a version");
	is(join(' ', grep { $_ ne '99.1.0' } @{ $of_pages{$page} }), '', 'all of them of the frozen one');
}
($stdout) = in_tree($date . q{ && grep -c "last-updated: '$date'" SECURITY-INSIGHTS.yml});
is($stdout, 1, 'and SECURITY-INSIGHTS.yml is of this day');
my @updates = map { "$_/uidext--99.0.0--99.1.0.sql" } 'sql', 'sql/portable';
my @new = (@updates, map { "$_/uidext--99.1.0.sql" } 'sql', 'sql/portable');
($stdout) = in_tree('git ls-files -- "*99.1.0.sql"');
is(join(' ', sort split /\n/, $stdout), join(' ', sort @updates), 'an update from the last version is added, no install script');
($stdout) = in_tree(q(sed 's/.*  //' sql/released.sha256 | grep 99.1.0 | LC_ALL=C sort));
is(join(' ', split /\n/, $stdout), join(' ', sort @new), 'and listed');
($stdout, $stderr) = in_tree('EDITION=portable script/drafts 99.0.0; echo $?');
is($stdout, 2, 'and drafted no more');
like($stderr, qr{sql/portable/uidext--99\.0\.0--99\.1\.0\.sql is released}, 'by hand');

# Green is the last line of .ci/run, of this commit.
in_tree('git add -A && git -c user.name=somebody -c user.email=somebody@example.com commit -q -m 99.1.0');
my ($head) = in_tree('git rev-parse HEAD');
($stdout, $stderr) = in_tree('script/copy ../copied && find ../copied/earlier -type f');
is("$stdout$stderr", '', 'it runs before it is tagged; no tag, no script of another version');
my $passed = "15  passed\n\n== All suites passed on one major, and on the others those that may differ:";
foreach my $proof (
	[ 'yes', "$passed $head", 'this commit' ],
	[ 'NO ', "== PostgreSQL 15\n== Matrix\n1 passed, 0 failed, 0 skipped", 'no word of suites here' ],
	[ 'NO ', "$passed " . '0' x 40, 'another commit' ],
	[ 'NO ', "$passed $head and changes that are not committed", 'more than the commit' ],
	[ 'NO ', "$passed $head, SKIPPED: 19", 'a major was skipped' ],
	[ 'NO ', "$passed $head\nregress  FAILED", 'something failed' ])
{
	my ($says, $log, $what) = @$proof;
	unlink "$tree/ci.log";
	append_to_file("$tree/ci.log", "$log\n");
	($stdout) = in_tree('script/release --dry-run --proof ci.log');
	like($stdout, qr/^$says  the suites of \.ci\/run all are green$/m, "$what: $says");
}

# Who answers for a release, and where its repository is, only a person can say.
in_tree(q(sed -i "s/\\(url: &repository\\|- name:\\|email:\\).*/\\1 ''/" SECURITY-INSIGHTS.yml &&
	sed -i -e 's/^\( --\|Maintainer:\) .*>/\1 uidext contributors <maintainers@uidext.invalid>/' \
		-e 's/^Homepage: .*/Homepage: https:\/\/repository.uidext.invalid/' debian/changelog debian/control &&
	sed -i -e 's/\("maintainer": "\).*"/\1uidext contributors <maintainers@uidext.invalid>"/' \
		-e 's/\("\(homepage\|web\|url\)": "\)[^"]*\(".*\)/\1https:\/\/repository.uidext.invalid\3/' \
		META.json site/pglite/package.json &&
	sed -i 's/^URL: .*/URL: https:\/\/repository.uidext.invalid/' rpm/uidext.spec));
($stdout) = in_tree('script/release --dry-run --proof ci.log');
my $empty = qr/.*url: &repository ''\n.*\n.*email: ''\n/;
like($stdout, qr/^NO   the address of the repository and the maintainer are filled in\n(?:.*\n)*?$empty/m,
	'a release wants to know where the repository is and who answers');
like($stdout, qr/\Q$_\E:\d+:.*uidext\.invalid/, "and that $_ does not name nobody")
  foreach qw(META.json debian/changelog debian/control site/pglite/package.json);
in_tree(q(sed -i -e "s/''$/'none'/" \
	-e "s/\\(&repository\\) .*/\\1 https:\\/\\/example.org\\/uidext?a\\&b/" \
	-e "s/- name: .none.$/- name: \\"Ada O'Example \\& Sons \\/ Ltd\\"/" \
	-e "s/email: .*/email: 'ada@example.org'/" SECURITY-INSIGHTS.yml));
in_tree('script/freeze');
($stdout) = in_tree('script/release --dry-run --proof ci.log');
like($stdout, qr/^yes  the address of the repository and the maintainer are filled in$/m, 'which stands in one file');
my $ada = quotemeta q(Ada O'Example & Sons / Ltd <ada@example.org>);
my $repository = quotemeta 'https://example.org/uidext?a&b';
my %named = (
	'debian/changelog' => qr/^ -- $ada  /m,
	'debian/control' => qr/^Maintainer: $ada\n.*^Homepage: $repository$/ms,
	'rpm/uidext.spec' => qr/^URL: *$repository$/m,
	'META.json' => qr/"maintainer": "$ada",.*"homepage": "$repository",.*"web": "$repository"/s,
	'site/pglite/package.json' => qr/"url": "$repository"/);
like(slurp_file("$tree/$_"), $named{$_}, "and freezing writes into $_") foreach sort keys %named;

done_testing();
