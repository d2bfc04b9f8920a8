-- A database that uses the SQL edition wherever something can: defaults, keys,
-- bounds, indexes, domains, generated columns, checks, views, functions, registry.

SET timezone = 'UTC';

INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil'), (0, 'KZ', 'Kazakhstan');
INSERT INTO iuid.service_entities VALUES (1, 'Order', NULL), (2, 'Ride', 'one way');
INSERT INTO iuid.routes (country, node) VALUES (76, 'br.example.com');

-- default, partitions, foreign key
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), item text) PARTITION BY RANGE (id);
CREATE TABLE orders_01 PARTITION OF orders FOR VALUES FROM (uuid_boundary('2026-01-01')) TO (uuid_boundary('2026-02-01'));
SELECT uuid_partition_create('orders', '2026-02-01', '2026-04-01', '1 month');
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
INSERT INTO orders
SELECT gen_uuidv7_at(at), at::text FROM generate_series('2026-01-01'::timestamptz, '2026-03-28', '1 hour') AS at;
INSERT INTO orders (item) VALUES ('by default');
CREATE TABLE lines (order_id uuid REFERENCES orders, line int);
INSERT INTO lines SELECT id, 1 FROM orders;

-- generated column, checks, index on an expression, partial index
CREATE TABLE users (
	id uuid PRIMARY KEY DEFAULT gen_uuidv7('-1 day') CHECK (uuidv7_is_valid(id)),
	made timestamptz GENERATED ALWAYS AS (uuid_time(id)) STORED,
	CHECK (id > '2020-01-01 00:00+00'::timestamptz),
	CHECK (id <@ tstzrange('2020-01-01 00:00+00', NULL))
);
CREATE INDEX users_made ON users (uuid_time(id));
CREATE INDEX users_2026 ON users (id) WHERE id >= '2026-01-01 00:00+00'::timestamptz;
INSERT INTO users SELECT gen_uuidv7() FROM generate_series(1, 100);

-- iuid as a key, default by names, keys between iuid and uuid, a domain over it
CREATE TABLE rides (
	id iuid PRIMARY KEY DEFAULT gen_iuid('BR', 'Ride'),
	country int GENERATED ALWAYS AS (iuid_country(id)) STORED
) PARTITION BY RANGE (id);
SELECT uuid_partition_create('rides', '2026-01-01', '2026-03-01', '1 month');
CREATE TABLE rides_rest PARTITION OF rides DEFAULT;
INSERT INTO rides
SELECT gen_iuid_at(timestamptz '2026-01-10' + n * interval '1 day', country, 2)
FROM unnest('{0,76}'::int[]) AS country, generate_series(1, 40) AS n;
INSERT INTO rides DEFAULT VALUES;
CREATE DOMAIN ride_id AS iuid;
CREATE TABLE fares (ride ride_id REFERENCES rides (id) CHECK (iuid_service_entity(ride) = 2), fare int);
INSERT INTO fares SELECT id, 10 FROM rides;
CREATE TABLE claims (ride uuid PRIMARY KEY REFERENCES rides (id), seen iuid[]);
INSERT INTO claims SELECT id, ARRAY[id, iuid_boundary('2026-01-01')] FROM rides;

-- ulid as a key, with bounds and a predicate
CREATE TABLE tickets (
	id ulid PRIMARY KEY DEFAULT gen_ulid(), made timestamptz GENERATED ALWAYS AS (ulid_time(id)) STORED)
PARTITION BY RANGE (id);
CREATE TABLE tickets_01 PARTITION OF tickets FOR VALUES FROM (ulid_boundary('2026-01-01')) TO (ulid_boundary('2026-02-01'));
CREATE TABLE tickets_rest PARTITION OF tickets DEFAULT;
INSERT INTO tickets SELECT gen_ulid_at(at) FROM generate_series('2026-01-01'::timestamptz, '2026-02-28', '1 hour') AS at;
INSERT INTO tickets DEFAULT VALUES;
CREATE VIEW tickets_of_january AS SELECT id FROM tickets WHERE id < '2026-02-01 00:00+00'::timestamptz;
CREATE TABLE seats (ticket ulid REFERENCES tickets, seat int);
INSERT INTO seats SELECT id, 1 FROM tickets;

-- by a hash that each edition computes otherwise
CREATE SCHEMA apart;
CREATE TABLE apart.tickets (id ulid PRIMARY KEY) PARTITION BY HASH (id);
CREATE TABLE apart.tickets_0 PARTITION OF apart.tickets FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE apart.tickets_1 PARTITION OF apart.tickets FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO apart.tickets SELECT id FROM tickets;

-- ulids made of uuids, and back
CREATE TABLE links (id ulid PRIMARY KEY DEFAULT uuid_to_ulid(gen_uuidv7()),
	of uuid GENERATED ALWAYS AS (ulid_to_uuid(id)) STORED);
INSERT INTO links SELECT uuid_to_ulid(id) FROM orders;
INSERT INTO links DEFAULT VALUES;
CREATE VIEW linked AS SELECT l.id, o.item FROM links l JOIN orders o ON l.id = uuid_to_ulid(o.id);

-- the other families as defaults, other forms of ids
CREATE SEQUENCE numbers;
CREATE TABLE others (
	comb uuid DEFAULT gen_comb(),
	suffix uuid DEFAULT gen_suffix_comb(),
	short_comb uuid DEFAULT gen_short_comb('15 seconds'),
	numbered uuid DEFAULT gen_sequence_comb('numbers', 10),
	v1 uuid DEFAULT gen_uuidv1(),
	v6 uuid DEFAULT gen_uuidv6(),
	v13 uuid DEFAULT gen_uuidv13(),
	printed uuid GENERATED ALWAYS AS (uuid_to_sqlserver(suffix)) STORED,
	typeid text GENERATED ALWAYS AS (uuid_to_typeid(comb, 'other')) STORED UNIQUE,
	short text GENERATED ALWAYS AS (uuid_encode(v6, 'base58')) STORED,
	CHECK (comb_is_recent(comb, '9999 days', '9999 days', '2026-01-01 00:00+00'))
);
INSERT INTO others SELECT FROM generate_series(1, 100);

-- policy, views, functions with a body, composite, aggregate
CREATE TABLE bookings (id uuid PRIMARY KEY, seats int);
ALTER TABLE bookings ENABLE ROW LEVEL SECURITY;
CREATE POLICY fresh_ids ON bookings FOR INSERT WITH CHECK (short_comb_is_recent(id));
CREATE VIEW january AS SELECT id, item FROM orders WHERE id <@ '[2026-01-01 00:00+00,2026-02-01 00:00+00)'::tstzrange;
CREATE MATERIALIZED VIEW by_day AS SELECT date_trunc('day', uuid_time(id), 'UTC') AS day, count(*) FROM orders GROUP BY 1;
CREATE FUNCTION before(at timestamptz) RETURNS SETOF orders BEGIN ATOMIC
	SELECT * FROM orders WHERE id < at;
END;
CREATE VIEW early AS SELECT * FROM before('2026-01-02 00:00+00');
CREATE TABLE inspected AS SELECT uuid_inspect(id) AS info, id AS of FROM users;
CREATE VIEW newest AS SELECT max(id) AS id FROM orders;
