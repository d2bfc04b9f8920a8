-- Are the estimates of uuid_key_report() near what pgstattuple reads, where that is?

BEGIN;
\ir include/settings.sql
SELECT plan(6);

CREATE TABLE random_keys (id uuid PRIMARY KEY);
INSERT INTO random_keys SELECT gen_random_uuid() FROM generate_series(1, 20000);
INSERT INTO random_keys SELECT gen_random_uuid() FROM generate_series(1, 20000);
CREATE TABLE ordered_keys (id uuid PRIMARY KEY, customer uuid);
INSERT INTO ordered_keys SELECT gen_uuidv7(), r.id FROM random_keys AS r, generate_series(1, 2) ORDER BY random();
CREATE INDEX ordered_keys_customer ON ordered_keys (customer);
CREATE TABLE empty (id uuid PRIMARY KEY);
CREATE INDEX empty_unfinished ON empty (id);
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'empty_unfinished'::regclass;
ANALYZE random_keys, ordered_keys, empty;

SELECT set_config('uidext_test.exact', (count(*) > 0)::text, true) AS exact
FROM pg_available_extensions
WHERE name = 'pgstattuple' \gset
\if :exact
CREATE EXTENSION IF NOT EXISTS pgstattuple;
-- on 32 bits less is rounded up than the estimate has
SELECT cmp_ok(abs(e.leaf_density - x.leaf_density), '<', 8.0,
	format('density of %s: %s estimated, %s read', e.index_name, e.leaf_density, x.leaf_density))
FROM uuid_key_report() AS e JOIN uuid_key_report(exact => true) AS x USING (index_name)
WHERE e.table_name IN ('random_keys'::regclass, 'ordered_keys'::regclass);
SELECT is(leaf_density, NULL, 'an empty index has no density')
FROM uuid_key_report(exact => true)
WHERE index_name = 'empty_pkey'::regclass;
SELECT is_empty($$SELECT FROM uuid_key_report(exact => true) WHERE index_name = 'empty_unfinished'::regclass$$,
	'an index that is not valid is left out');
\else
SELECT skip('no pgstattuple', 5);
\endif
SELECT cmp_ok(bytes_saved::float8 / bytes, '>', 0.1::float8, 'random keys could be smaller')
FROM uuid_key_report()
WHERE table_name = 'random_keys'::regclass;

SELECT * FROM finish();
ROLLBACK;
