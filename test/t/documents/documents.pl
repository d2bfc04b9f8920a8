# Every SQL block of the documents runs, in the order of the document; it shows
# the errors and the output that the document says.  doc/troubleshooting.md
# explains each message without a HINT, and doc/reference.md is what the catalog
# says.
# Snippets of clients stand in the tests that script/drivers runs.

use strict;
use warnings;

use File::Basename qw(basename dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

$ENV{PGTZ} = 'UTC';

my $root = dirname(__FILE__) . '/../../..';
my $node = PostgreSQL::Test::Cluster->new('documents');

$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;

$node->safe_psql('postgres', 'CREATE DATABASE catalog');
$node->safe_psql('catalog', 'CREATE EXTENSION uidext');

# What a block asks for: "sql 18+" a major or a later one, "sql pg_uuidv7" an
# extension that is no part of PostgreSQL.
sub available
{
	my ($need) = @_;

	return $node->safe_psql('postgres', 'SHOW server_version_num') >= $1 * 10000 if $need =~ /^(\d+)\+$/;
	return $node->safe_psql('postgres', "SELECT count(*) FROM pg_available_extensions WHERE name = '$need'");
}

# The SQL blocks of a document, each with what it needs and, when there is one,
# the output shown after it.
sub blocks
{
	my ($text) = @_;
	my @blocks;

	push @blocks, { need => $1, sql => $2, shown => $3 }
	  while $text =~ /^```sql(?: (\S+))?\n(.*?)^```\n(?:```\n(.*?)^```$)?/gms;
	return @blocks;
}

sub without_trailing_space
{
	return join "\n", map { s/\s+$//r } split /\n/, $_[0];
}

# doc/regions.md and doc/citus.md need several servers and are run by countries/regions
# and countries/citus,
# doc/partitioning-tools.md needs the tools and is run by partitions/partman and partitions/timescaledb,
# doc/managed.md is about the other edition and is run by editions/tle, editions/moving_editions,
# editions/managed_tour and editions/managed_week.
foreach my $document (
	grep { basename($_) !~ /^(reference|regions|citus|managed|partitioning-tools)\.md$/ } "$root/README.md",
	glob("$root/doc/*.md"))
{
	my $name = basename($document, '.md');
	my @blocks = blocks(slurp_file($document));
	my @run = grep { !defined $_->{need} || available($_->{need}) } @blocks;
	next if !@blocks;
	my $separator = '-- end of block';
	my ($stdout, $stderr);

	# As a person's psql shows it, but for a removal that is not said to fail.
	my $script = join "\\echo '$separator'\n", map { $_->{sql} =~ s/^DROP EXTENSION uidext.*\n(?!-- ERROR)//mr } @run;
	$script = "\\pset format aligned\n\\pset tuples_only off\n$script";

	my $with_extension = $script !~ /CREATE EXTENSION uidext/;
	$node->safe_psql('postgres', qq(CREATE DATABASE "$name") . ($with_extension ? ' TEMPLATE catalog' : ''));
	$node->psql($name, $script, stdout => \$stdout, stderr => \$stderr, on_error_stop => 0);

	note("$name: " . (@blocks - @run) . ' blocks need what is not here') if @run < @blocks;
	is( join("\n", $stderr =~ /((?:ERROR|FATAL|PANIC):  .*)$/mg),
		join("\n", map { $_->{sql} =~ /^-- (ERROR:  .*)$/mg } @run),
		@run . " blocks of $name run, with the errors that they announce") or diag($stderr);

	my @outputs = split /^\Q$separator\E$/m, $stdout;
	foreach my $n (grep { defined $run[$_]{shown} } 0 .. $#run)
	{
		my $output = without_trailing_space($outputs[$n]);

		ok(index($output, without_trailing_space($run[$n]{shown})) >= 0, "block " . ($n + 1) . " of $name shows its output")
		  or diag("$run[$n]{shown}is not in\n$output");
	}
}

# The messages of the sources, up to their arguments, and those that some place
# raises without a HINT.
my (%message, %without_hint);
sub note_message
{
	my ($message, $rest, $source) = @_;

	$message{$message} = basename($source);
	$without_hint{$message} = 1 unless $rest =~ /\berrhint\b|\bHINT = (?!hint\b)/;
}
foreach my $source (glob("$root/src/*.[ch] $root/src/*/*.[ch] $root/src/*/*/*.[ch]"))
{
	my $code = slurp_file($source);
	my $string = qr/"(?:[^"\\]|\\.)*"/;

	while ($code =~ /(?<!NOTICE, \()\berrmsg(?:_internal)?\(\s*((?:$string\s*)+)((?:$string|[^";])*)/g)
	{
		my ($strings, $rest) = ($1, $2);
		note_message(join('', $strings =~ /"((?:[^"\\]|\\.)*)"/g), $rest, $source);
	}
}
foreach my $part (grep { !/uidext--/ } glob("$root/sql/*.sql $root/sql/*/*.sql"))
{
	my $install = slurp_file($part);

	while ($install =~ /RAISE (?:EXCEPTION|WARNING)\s+'((?:[^']|'')*)'((?:'(?:[^']|'')*'|[^';])*)/g)
	{
		my ($message, $rest) = ($1, $2);
		note_message($message =~ s/''/'/gr, $rest, $part);
	}
}
cmp_ok(scalar keys %message, '>', 20, 'messages found in the sources');

my ($ours) = slurp_file("$root/doc/troubleshooting.md") =~ /(.*)^## Messages of PostgreSQL$/ms;
my @explained = map { /`([^`]+)`/g } $ours =~ /^(?:###|-) ((?:`[^`]+`(?:, )?)+)(?::|$)/mg;
my %pattern = map {
	my $pattern = join '.+', map { quotemeta } split /%[a-z]*/, s/\\"/"/gr, -1;
	($_ => qr/^$pattern$/)
} keys %message;
my @unexplained = grep { my $message = $_; !grep { /$pattern{$message}/ } @explained } sort keys %without_hint;
is(join('', map { "$message{$_}: $_\n" } @unexplained), '', 'doc/troubleshooting.md explains each message without a HINT');
is(join("\n", grep { my $line = $_; !grep { $line =~ $_ } values %pattern } @explained), '', 'and no message that is gone');

# Whoever has an SQLSTATE alone finds the line that names the function.
my ($by_sqlstate) = slurp_file("$root/doc/troubleshooting.md") =~ /^## By SQLSTATE\n(.*?)^## /ms;
my (%names, %raised);
while ($by_sqlstate =~ /^\| ([0-9A-Z, ]{5,}) \| ([^|]+) \|/gm)
{
	my ($codes, $calls) = ($1, $2);
	push @{ $names{$_} }, map { s/…/\\w*/gr } $calls =~ /`([^`]+)`/g foreach split /, /, $codes;
}
$raised{ (split)[0] }{ (split)[1] } = 1 foreach split /\n/, $node->safe_psql('catalog', <<'SQL');
SELECT code[1] || ' ' || proname
FROM pg_proc AS p JOIN pg_depend AS d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e',
	regexp_matches(obj_description(p.oid, 'pg_proc'), '(?:[Rr]aises|[Ff]ails with).*') AS said,
	regexp_matches(said[1], '\m([02-5][0-9A-Z]{4})\M', 'g') AS code
WHERE pronamespace = 'public'::regnamespace
SQL
cmp_ok(scalar keys %raised, '>', 15, 'SQLSTATEs: ' . join(' ', sort keys %raised));
foreach my $code (sort keys %raised)
{
	is(join(' ', grep { my $function = $_; !grep { $function =~ /^$_$/ } @{ $names{$code} } } sort keys %{ $raised{$code} }), '',
		"doc/troubleshooting.md names the functions that raise $code");
}
my $reference = slurp_file("$root/doc/reference.md");
my ($catalog) = run_command([ 'psql', '-qX', '-d', $node->connstr('catalog'), '-f', "$root/doc/reference.sql" ]);
is($reference, "$catalog\n", 'doc/reference.md is up to date');

my ($msvc) = slurp_file("$root/doc/install.md") =~ /^cl (.*?)^```$/ms;
my %with_c = map { s{^\Q$root\E/}{}r => 1 } map { dirname($_) } glob("$root/src/*.c $root/src/*/*.c $root/src/*/*/*.c");
is(join(' ', sort map { tr{\\}{/}r } $msvc =~ /(src\S*)\\\*\.c/g), join(' ', sort keys %with_c),
	'doc/install.md compiles each folder of src with MSVC');
unlike($reference, qr/^## Other$/m, 'doc/reference.sql has a subject for each function');

my ($wanted) = $reference =~ /^\| I want \| call \|\n(.*?)^## /ms;
my @missing = grep { $reference !~ /^- `$_\(/m } $wanted =~ /`(?:CALL )?((?:gen|u?uid|iuid|ulid|comb|short)\w*)\(/g;
is("@missing", '', 'what "I want" calls is there');

# The catalog is the list of families: a generator without a time of one's own.
my @families = split /\n/,
  $node->safe_psql('catalog',
	q{
		SELECT DISTINCT proname
		FROM pg_proc
		WHERE proname LIKE 'gen\_%' AND proname NOT LIKE '%\_at' AND proname <> 'gen_random_uuid'
		ORDER BY 1});
cmp_ok(scalar @families, '>', 10, 'families: ' . join(' ', @families));
foreach my $list ('doc/choosing.md', 'bench/generation')
{
	my $text = slurp_file("$root/$list");

	is(join(' ', grep { $text !~ /\b$_\(/ } @families), '', "$list names each family");
}

# The list of pages is whole, and so is that of settings.
my $index = slurp_file("$root/doc/index.md");
my @pages = grep { $_ ne 'index.md' } map { basename($_) } glob("$root/doc/*.md");
is(join(' ', grep { my $page = $_; (() = $index =~ /^- \[[^\]]+\]\(\Q$page\E\): \S/mg) != 1 } @pages), '',
	'doc/index.md has one line for each page');

# What many look for and would not guess the page of: README leads to the index, and
# the line of the page there has a link to it.
like(slurp_file("$root/README.md"), qr/\(doc\/index\.md\)/, 'README leads to doc/index.md');
foreach my $asked (
	[ 'keys.md', 'A created_at column' ],
	[ 'keys.md', 'A unique email on a partitioned table' ],
	[ 'keys.md', 'Ids that clients must not make' ],
	[ 'keys.md', 'A code for people beside the id' ],
	[ 'moving.md', 'A month that comes back from the archive' ],
	[ 'regions.md', 'Every country a router' ],
	[ 'idempotency.md', '(e) Nothing, and a sweep' ],
	[ '../bench/README.md', 'On your own server, by your own settings' ])
{
	my ($page, $heading) = @$asked;
	my ($line) = $index =~ /^(- \[[^\]]+\]\(\Q$page\E\): .*)$/m;
	my $anchor = lc($heading) =~ s/[^\w -]//gr =~ tr/ /-/r;

	like($line, qr/\(\Q$page#$anchor\E\)/, "doc/index.md leads to \"$heading\" in the line of $page");
	like(slurp_file("$root/doc/$page"), qr/^##+ \Q$heading\E$/m, 'which is there');
}

my $settings = slurp_file("$root/doc/settings.md");
my @settings = split /\n/,
	$node->safe_psql('catalog',
	q(
		SELECT gen_uuidv7() \g /dev/null
		SELECT name || ' ' || CASE boot_val WHEN '' THEN 'empty' ELSE '`' || boot_val || '`' END
		FROM pg_settings
		WHERE name LIKE 'uidext.%'));
cmp_ok(scalar @settings, '>', 3, 'settings: ' . join(' ', @settings));
foreach (@settings)
{
	my ($name, $default) = split / /;
	like($settings, qr/^## .*\b\Q$name\E\b/m, "doc/settings.md has a chapter on $name");
	like($settings, qr/^\| \[`\Q$name\E`\]\(#\S+\) \| \Q$default\E[ :]/m, "doc/settings.md has the default of $name");
}

# What a change touches is there, and each folder of src and sql stands in a line of it.
my ($kinds) = slurp_file("$root/CONTRIBUTING.md") =~ /^\| change \| files \|\n(.*?)\n\n/ms;
my @touched = map { s/NAME|OLD|NEW/*/gr } $kinds =~ m{(?<![\w/.-])((?:[\w.-]+/)+[\w.-]*|Makefile|\w+\.(?:md|control))}g;
cmp_ok(scalar @touched, '>', 30, 'files that a change touches');
# there is no update script yet
is(join(' ', grep { !grep { -e } glob("$root/$_") } grep { !m{^sql/uidext--} } @touched), '', 'all of them are there');
foreach my $folder (map { s{^\Q$root/}{}r } grep { -d } glob("$root/src/* $root/sql/*"))
{
	ok((grep { m{^\Q$folder\E(/|$)} } @touched), "a change of $folder is in the table of CONTRIBUTING.md");
}

# What pages about clients show stands in a test, at some depth of indentation.
sub unindented { return shift =~ s/^\s+//gmr }

my $source;
my $snippets = slurp_file("$root/doc/drivers.md");
while ($snippets =~ /^(?:<!-- from (\S+) -->|```(?!sql)\w+\n(.*?)^```$)/gms)
{
	$source = $1, next if defined $1;
	my $block = unindented($2);
	ok(index(unindented(slurp_file("$root/$source")), $block) >= 0, "snippet of $source") or diag($block);
}

done_testing();
