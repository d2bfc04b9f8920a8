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
# What doc/troubleshooting.md tells to write in a domain, and functions that are casts.
$old->safe_psql('shop_ids', q(
	CREATE DOMAIN order_id AS ids.iuid CHECK (ids.iuid_service_entity(VALUE::text::uuid) = 1);
	CREATE DOMAIN late AS ids.ulid CHECK (ids.uuid_boundary_time(ids.ulid_to_uuid(VALUE::text)) > timestamptz '2020-01-01 00:00+00');
	CREATE DOMAIN other AS ids.ulid CHECK (
		ids.ulid_to_uuid(VALUE) <> '018c22ac-d000-8037-a940-000000000000'
			AND ids.uuid_is_recent(VALUE, '1 day', '1 day', timestamptz '2020-01-01 00:00+00') IS NOT NULL);
	CREATE DOMAIN not_sample AS uuid CHECK (ids.uuid_to_ulid(VALUE) <> '01ARZ3NDEKTSV4RRFFQ69G5FAV');
	CREATE TABLE of_domains (a order_id DEFAULT ids.gen_iuid(76, 1), b late DEFAULT ids.gen_ulid(),
		c other DEFAULT ids.gen_ulid(), d not_sample DEFAULT ids.gen_uuidv7());
	INSERT INTO of_domains DEFAULT VALUES)) if is_base_type($old, 'shop_ids', 'ids.iuid');
my %answers = map { $_ => answers_of($old, "shop_$_") } @schemas;
like($answers{$_}, qr/^uuid_shop\.row_distinct\|10\|/m, "extension in $_: there is something to upgrade") foreach @schemas;

upgrade_ok($old, $new);
is(answers_of($new, "shop_$_"), $answers{$_}, "extension in $_: all types, rows and answers are the same") foreach @schemas;
if (is_base_type($new, 'shop_ids', 'ids.iuid'))
{
	$new->safe_psql('shop_ids', 'INSERT INTO of_domains DEFAULT VALUES');
	is($new->safe_psql('shop_ids', 'SELECT count(*) FROM of_domains'), 2,
		'domains that convert an id in another way than by its cast are there');
}
$new->stop;

# A domain over an iuid was left out (Constructs.pm) because it stops an upgrade, as
# doc/troubleshooting.md says.
$old->start;
SKIP:
{
	skip 'an iuid of the SQL edition is a domain itself, and is not cast', 4 unless is_base_type($old, 'shop_ids', 'ids.iuid');

	$old->safe_psql('postgres', "DROP DATABASE shop_$_") foreach @schemas;
	make_constructs($old, 'of_iuid', 'ids', types => ['iuid']);
	upgrade_refused($old, qr/cannot cast type .*iuid.* to uuid.*CREATE DOMAIN/s, 'a domain over an iuid that compares values');
	$old->start;
	$old->safe_psql('postgres', 'DROP DATABASE of_iuid; CREATE DATABASE of_ulid');
	$old->safe_psql('of_ulid', q(
		CREATE SCHEMA ids;
		CREATE EXTENSION uidext SCHEMA ids;
		CREATE DOMAIN late AS ids.ulid CHECK (
			ids.uuid_boundary_time(VALUE) > timestamptz '2020-01-01 00:00+00')));
	upgrade_refused($old, qr/cannot cast type .*ulid.* to uuid.*CREATE DOMAIN/s, 'a domain over a ulid that is taken for a uuid');
}

done_testing();
