# The key of encrypted ids: who may translate ids cannot read it, and it is in no
# log, no statistics of statements, no plan and, but for one hash of it, no memory
# of the session.  doc/public-ids.md shows how.
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $root = dirname(__FILE__) . '/../../..';
my ($key_table) = slurp_file("$root/doc/public-ids.md") =~ /^### Where to keep the key.*?^```sql\n(.*?)^```/ms;

my $node = OneSession->new('public_ids');
$node->init(extra => [ '--encoding', 'UTF8', '--locale', 'C' ]);
$node->append_conf('postgresql.conf', <<'END');
shared_preload_libraries = 'pg_stat_statements, auto_explain'
pg_stat_statements.track = all
pg_stat_statements.track_utility = on
auto_explain.log_min_duration = 0
auto_explain.log_nested_statements = on
auto_explain.log_verbose = on
log_min_messages = debug5
log_statement = all
log_min_duration_statement = 0
debug_print_plan = on
debug_print_parse = on
END
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext; CREATE EXTENSION pg_stat_statements');
$node->safe_psql('postgres', $key_table);

# How often each byte string, in hexadecimal, is in the memory that a process
# shares with none; nothing where the system shows it to nobody.
sub in_memory
{
	my ($pid, @strings) = @_;
	my @found = (0) x @strings;
	my $read = 0;

	open my $memory, '<:raw', "/proc/$pid/mem" or return;
	foreach my $mapping (split /\n/, slurp_file("/proc/$pid/maps"))
	{
		my ($from, $to) = $mapping =~ /^([0-9a-f]+)-([0-9a-f]+) rw-p / or next;
		my $size = hex($to) - hex($from);
		my $bytes = '';

		sysseek $memory, hex $from, 0 or next;
		1 while length $bytes < $size && sysread $memory, $bytes, $size - length $bytes, length $bytes;
		$read += length $bytes;
		$found[$_] += () = $bytes =~ /\Q${\ pack 'H*', $strings[$_]}\E/g foreach 0 .. $#strings;
	}
	note("$read bytes of memory");
	return $read ? @found : ();
}

# As the API does it, in one session that stays.
my $session = $node->background_psql('postgres', on_error_stop => 0);
$session->query_safe('SET ROLE shop_api');
my $public_id = $session->query_safe('INSERT INTO orders (total) VALUES (12.5) RETURNING public_order_id(id)');
like($public_id, qr/^[0-9a-f]{8}-[0-9a-f]{4}-4/, 'a role that may call the function gets a version 4');
is($session->query_safe("SELECT total FROM orders WHERE id = order_id('$public_id')"), '12.5', 'and finds the row by it');
$session->query_safe("SELECT public_order_id(gen_uuidv7()) FROM generate_series(1, 100)");
my $pid = $session->query_safe('SELECT pg_backend_pid()');

my ($result, $stdout, $stderr) = $node->psql('postgres', 'SET ROLE shop_api; SELECT key FROM id_keys');
like($stderr, qr/permission denied for table id_keys/, 'it cannot read the key');
($result, $stdout, $stderr) = $node->psql('postgres',
	"SET ROLE shop_api; SELECT order_id('018c22ac-d000-7037-a940-000000000001')");
like($stderr, qr/UUID cannot be decrypted/, 'an error');
unlike($stderr, qr/\\x/, 'says nothing of the key');

# HMAC-SHA-256, by core's sha256().
my ($key, $round_key) = split /\|/, $node->safe_psql('postgres', <<'END');
SET log_statement = none;
SELECT encode(key, 'hex'),
	encode(sha256(xored[2] || sha256(xored[1] || 'uidext uuid_encrypt v1'::bytea || '\x00' || 'orders'::bytea)),
		'hex')
FROM id_keys, LATERAL (SELECT ARRAY(
	SELECT decode(string_agg(lpad(to_hex(coalesce(get_byte(key, n), 0) # pad), 2, '0'), '' ORDER BY n), 'hex')
	FROM unnest('{54,92}'::int[]) WITH ORDINALITY AS p(pad, which), generate_series(0, 63) AS n,
		LATERAL (SELECT CASE WHEN n < length(id_keys.key) THEN id_keys.key ELSE NULL END) AS k(key)
	GROUP BY which ORDER BY which)) AS x(xored)
END
is(length $key, 64, 'there is a key');

my $log = slurp_file($node->logfile);
like($log, qr/public_order_id/, 'the log has the statements');
like($log, qr/duration: .* plan:/, 'and their plans');
unlike($log, qr/\Q$key\E/i, 'but not the key');
like($node->safe_psql('postgres', 'SELECT string_agg(query, E\'\n\') FROM pg_stat_statements'), qr/uuid_encrypt|public_order_id/,
	'pg_stat_statements has the statements');
is($node->safe_psql('postgres', "SELECT count(*) FROM pg_stat_statements WHERE query ~ '$key'"), '0', 'but not the key');

# The session's own memory, without what it shares: a static variable has the
# round key, and nothing that was allocated for a call, nor the stack, has a copy.
SKIP:
{
	my ($keys, $round_keys) = in_memory($pid, $key, $round_key);

	skip 'this system shows no memory of another process', 2 unless defined $keys;
	is($keys, 0, 'the session keeps no copy of the key');
	is($round_keys, 1, 'the session keeps the round key in one place');
}
$session->quit;

# Nor of a key that is stored out of line and compressed, where the bytes of its
# first half stand as they are, eight and eight.
$node->safe_psql('postgres', <<'END');
CREATE TABLE stored_keys (key bytea, filler text);
ALTER TABLE stored_keys ALTER filler SET STORAGE PLAIN;
INSERT INTO stored_keys SELECT half || half, repeat('x', 2100)
FROM substr(sha256(uuid_send(gen_random_uuid())), 1, 30) AS half;
END
my ($half, $size) = split /\|/, $node->safe_psql('postgres',
	q{SELECT encode(substr(key, 1, 8), 'hex'), pg_column_size(key) FROM stored_keys});
cmp_ok($size, '<', 60, 'a key is compressed');
isnt($node->safe_psql('postgres',
		q{SELECT pg_relation_size(reltoastrelid) FROM pg_class WHERE oid = 'stored_keys'::regclass}), '0',
	'and out of line');
$session = $node->background_psql('postgres');
$session->query_safe(q{SELECT uuid_encrypt(gen_uuidv7(), key, 'orders') FROM stored_keys});
$pid = $session->query_safe('SELECT pg_backend_pid()');
SKIP:
{
	my ($halves) = in_memory($pid, $half);

	skip 'this system shows no memory of another process', 1 unless defined $halves;
	is($halves, 0, 'the session keeps no part of it');
}
$session->quit;

# A label is hashed in UTF-8, whatever the encoding of the database is.
$node->safe_psql('postgres', "CREATE DATABASE latin1 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
$node->safe_psql('latin1', 'CREATE EXTENSION uidext');
my $encrypt = q{
	SELECT uuid_encrypt('018c22ac-d000-7037-a940-000000000001', '\x000102030405060708090a0b0c0d0e0f',
		'Auftr' || chr(228) || 'ge')};
is($node->safe_psql('latin1', $encrypt), $node->safe_psql('postgres', $encrypt), 'a label means the same in LATIN1 as in UTF8');
$node->stop;
done_testing();
