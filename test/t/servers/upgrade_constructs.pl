# Whatever a definition says of ids goes through pg_upgrade, which restores one object
# after the other, those of the extension among them, under an empty search_path.
use strict;
use warnings;

use File::Basename;
use lib dirname(__FILE__) . '/../include';
use Constructs;
use Test::More;
use Upgrade;

plan_upgrade();
my ($old, $new) = new_clusters();
my @schemas = ('public', 'ids');

make_constructs($old, "shop_$_", $_, upgrade => 1) foreach @schemas;
my %answers = map { $_ => answers_of($old, "shop_$_") } @schemas;
like($answers{$_}, qr/^uuid_shop\.row_distinct\|10\|/m, "extension in $_: there is something to upgrade") foreach @schemas;

upgrade_ok($old, $new);
is(answers_of($new, "shop_$_"), $answers{$_}, "extension in $_: all types, rows and answers are the same") foreach @schemas;
$new->stop;

# A domain over an iuid was left out (Constructs.pm) because it stops an upgrade, as
# doc/troubleshooting.md says.
$old->start;
SKIP:
{
	skip 'an iuid of the SQL edition is a domain itself, and is not cast', 2 unless is_base_type($old, 'shop_ids', 'ids.iuid');

	$old->safe_psql('postgres', "DROP DATABASE shop_$_") foreach @schemas;
	make_constructs($old, 'of_iuid', 'ids', types => ['iuid']);
	upgrade_refused($old, qr/cannot cast type .*iuid.* to uuid.*CREATE DOMAIN/s, 'a domain over an iuid that compares values');
}

done_testing();
