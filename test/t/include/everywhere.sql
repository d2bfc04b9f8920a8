-- A database that uses the extension wherever something can: defaults, keys,
-- bounds, indexes, operator classes, types, generated columns, checks,
-- policies, views, functions, registry.  The extension is in no search_path of
-- those who dump, restore or upgrade.

SET timezone = 'UTC';
CREATE ROLE uidext_app;
CREATE SCHEMA ids;
SET search_path = ids, public;

-- installed by an owner of the database who has gone since
CREATE ROLE uidext_installer;
GRANT ALL ON SCHEMA ids TO uidext_installer;
ALTER DATABASE :"DBNAME" OWNER TO uidext_installer;
SET ROLE uidext_installer;
CREATE EXTENSION uidext SCHEMA ids;
RESET ROLE;
REASSIGN OWNED BY uidext_installer TO CURRENT_USER;
DROP OWNED BY uidext_installer;
DROP ROLE uidext_installer;

-- registry, setting, privileges on members of the extension
INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil'), (0, 'KZ', 'Kazakhstan');
INSERT INTO iuid.service_entities VALUES (1, 'Order', NULL), (2, 'Ride', 'one way');
INSERT INTO iuid.routes (country, node) VALUES (76, 'br.example.com');
ALTER DATABASE :"DBNAME" SET uidext.country = 76;
SET uidext.country = 76;
GRANT INSERT ON iuid.routes TO uidext_app;
REVOKE EXECUTE ON FUNCTION uuid_partition_create FROM PUBLIC;

-- default, partition bounds, foreign key
CREATE TABLE public.orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), item text) PARTITION BY RANGE (id);
CREATE TABLE public.orders_01 PARTITION OF public.orders
FOR VALUES FROM (uuid_boundary('2026-01-01')) TO (uuid_boundary('2026-02-01'));
CREATE TABLE public.orders_02 PARTITION OF public.orders
FOR VALUES FROM (uuid_boundary('2026-02-01')) TO (uuid_boundary('2026-03-01'));
CREATE TABLE public.orders_rest PARTITION OF public.orders DEFAULT;
INSERT INTO public.orders
SELECT gen_uuidv7_at(at), at::text FROM generate_series('2026-01-01'::timestamptz, '2026-02-28', '1 hour') AS at;
INSERT INTO public.orders (item) VALUES ('by default');
CREATE TABLE public.lines (order_id uuid REFERENCES public.orders, line int);
INSERT INTO public.lines SELECT id, 1 FROM public.orders;
CREATE TABLE public.notes (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
SELECT uuid_partition_follow('public.notes', 'public.orders');
INSERT INTO public.notes SELECT id, 1 FROM public.orders WHERE id < timestamptz '2026-03-01';

-- generated column, check of the version and with an operator, index on an expression, partial index
CREATE TABLE public.users (
	id uuid PRIMARY KEY DEFAULT gen_uuidv7('-1 day') CHECK (uuidv7_is_valid(id)),
	made timestamptz GENERATED ALWAYS AS (id::timestamptz) STORED,
	CHECK (id > '2020-01-01 00:00+00'::timestamptz),
	CHECK (id <@ tstzrange('2020-01-01 00:00+00', NULL))
);
CREATE INDEX users_made ON public.users (uuid_time(id));
CREATE INDEX users_2026 ON public.users (id) WHERE id >= '2026-01-01 00:00+00'::timestamptz;
CREATE STATISTICS public.users_by_hour ON (date_trunc('hour', uuid_time(id), 'UTC')) FROM public.users;
INSERT INTO public.users SELECT gen_uuidv7() FROM generate_series(1, 100);
CREATE TABLE public.strict_orders (id uuid PRIMARY KEY CHECK (uuidv7_is_valid(id))) PARTITION BY RANGE (id);
CREATE TABLE public.strict_orders_01 PARTITION OF public.strict_orders
FOR VALUES FROM (uuid_boundary('2026-01-01')) TO (uuid_boundary('2026-02-01'));
INSERT INTO public.strict_orders SELECT id FROM public.orders_01;

-- partitions by country and time, default by names, domain over iuid, keys between iuid and uuid
-- no CHECK that makes a uuid of it: pg_upgrade restores domains before casts
CREATE DOMAIN public.ride_id AS iuid;
CREATE TABLE public.rides (
	id iuid PRIMARY KEY DEFAULT gen_iuid('Ride'),
	country int GENERATED ALWAYS AS (iuid_country(id)) STORED
) PARTITION BY HASH (id iuid_country_ops);
SELECT iuid_partition_create('public.rides', '{76}');
SELECT iuid_partition_create('public.rides', '{0}', start => '2026-01-01', stop => '2026-03-01', step => '1 month');
INSERT INTO public.rides (id)
SELECT gen_iuid_at(timestamptz '2026-01-10' + n * interval '1 day', country, 2)
FROM unnest('{0,76}'::int[]) AS country, generate_series(1, 40) AS n;
INSERT INTO public.rides DEFAULT VALUES;
CREATE TABLE public.fares (ride public.ride_id REFERENCES public.rides (id) CHECK (iuid_service_entity(ride) = 2), fare int);
INSERT INTO public.fares SELECT id, 10 FROM public.rides;
CREATE TABLE public.claims (ride uuid PRIMARY KEY REFERENCES public.rides (id), seen iuid[]);
INSERT INTO public.claims SELECT id, ARRAY[id, iuid_boundary('2026-01-01')] FROM public.rides;
CREATE TABLE public.refunds (claim iuid UNIQUE REFERENCES public.claims);
INSERT INTO public.refunds SELECT ride FROM public.claims;
CREATE TABLE public.foreign_rides (id uuid PRIMARY KEY) PARTITION BY HASH (id uuid_country_ops);
CREATE TABLE public.foreign_rides_br PARTITION OF public.foreign_rides FOR VALUES WITH (MODULUS 257, REMAINDER 76);
CREATE TABLE public.foreign_rides_rest PARTITION OF public.foreign_rides FOR VALUES WITH (MODULUS 257, REMAINDER 256);
INSERT INTO public.foreign_rides SELECT gen_iuid(76, 2) UNION ALL SELECT gen_uuidv7();
CREATE VIEW public.by_ride AS
SELECT id, count(*)
FROM public.rides
JOIN public.fares ON id = ride
JOIN public.claims USING (ride)
GROUP BY id;
-- what the planner and the executor look up
CREATE VIEW public.iuid_operators AS
SELECT f.opfname, f.opfmethod, o.amopstrategy AS number, o.amoplefttype::regtype::text,
	o.amoprighttype::regtype::text, o.amopopr::regoperator::text AS member
FROM pg_amop o
JOIN pg_opfamily f ON f.oid = amopfamily
WHERE concat(f.opfname, amoplefttype::regtype, amoprighttype::regtype) ~ 'iuid'
UNION ALL
SELECT f.opfname, f.opfmethod, p.amprocnum, p.amproclefttype::regtype::text, p.amprocrighttype::regtype::text,
	p.amproc::regprocedure::text
FROM pg_amproc p
JOIN pg_opfamily f ON f.oid = amprocfamily
WHERE concat(f.opfname, amproclefttype::regtype, amprocrighttype::regtype) ~ 'iuid';

-- operator class uuid_sqlserver_ops: plain, unique, on an expression, in a constraint
CREATE TABLE public.parts (
	id uuid PRIMARY KEY DEFAULT gen_suffix_comb(),
	printed uuid GENERATED ALWAYS AS (uuid_to_sqlserver(id)) STORED,
	short uuid DEFAULT gen_short_suffix_comb('15 seconds'),
	EXCLUDE USING btree (id uuid_sqlserver_ops WITH =)
);
CREATE UNIQUE INDEX parts_id ON public.parts (id uuid_sqlserver_ops);
CREATE INDEX parts_stored ON public.parts (uuid_from_sqlserver(printed) uuid_sqlserver_ops DESC, short);
INSERT INTO public.parts SELECT FROM generate_series(1, 1000);

-- the other families as defaults, one of them of a sequence
CREATE SEQUENCE public.numbers;
CREATE TABLE public.others (
	comb uuid DEFAULT gen_comb(),
	short_comb uuid DEFAULT gen_short_comb(),
	numbered uuid DEFAULT gen_sequence_comb('public.numbers', 10),
	v1 uuid DEFAULT gen_uuidv1(),
	v6 uuid DEFAULT gen_uuidv6(),
	v13 uuid DEFAULT gen_uuidv13(),
	CHECK (comb_is_recent(comb, '9999 days', '9999 days', '2026-01-01 00:00+00'))
);
INSERT INTO public.others SELECT FROM generate_series(1, 100);

-- ulid as a key, with bounds, indexes of all kinds, and a uuid that refers to it; aggregates of ids; other forms of them
CREATE TABLE public.tickets (
	id ulid PRIMARY KEY DEFAULT gen_ulid(), made timestamptz GENERATED ALWAYS AS (id::timestamptz) STORED)
PARTITION BY RANGE (id);
CREATE TABLE public.tickets_01 PARTITION OF public.tickets
FOR VALUES FROM (ulid_boundary('2026-01-01')) TO (ulid_boundary('2026-02-01'));
CREATE TABLE public.tickets_rest PARTITION OF public.tickets DEFAULT;
CREATE INDEX tickets_hash ON public.tickets USING hash (id);
CREATE INDEX tickets_brin ON public.tickets USING brin (id);
CREATE INDEX tickets_january ON public.tickets (id) WHERE id < '2026-02-01 00:00+00'::timestamptz;
INSERT INTO public.tickets SELECT gen_ulid_at(at) FROM generate_series('2026-01-01'::timestamptz, '2026-02-28', '1 hour') AS at;
INSERT INTO public.tickets DEFAULT VALUES;
CREATE TABLE public.seats (
	ticket uuid REFERENCES public.tickets,
	typeid text GENERATED ALWAYS AS (uuid_to_typeid(ticket, 'ticket')) STORED,
	short text GENERATED ALWAYS AS (uuid_encode(ticket, 'base58')) STORED UNIQUE
);
INSERT INTO public.seats SELECT id FROM public.tickets;
CREATE VIEW public.newest AS
SELECT (SELECT max(id) FROM public.tickets) AS ticket, (SELECT max(id) FROM public.orders) AS "order";

-- policy, trigger, views, functions with a body, composite
CREATE TABLE public.bookings (id uuid PRIMARY KEY, seats int);
ALTER TABLE public.bookings ENABLE ROW LEVEL SECURITY;
CREATE POLICY fresh_ids ON public.bookings FOR INSERT WITH CHECK (short_comb_is_recent(id));
CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'an id has to have a time'; END $$;
CREATE TRIGGER bookings_time BEFORE INSERT ON public.bookings FOR EACH ROW WHEN (comb_time(new.id) IS NULL)
	EXECUTE FUNCTION public.refuse();
CREATE VIEW public.january AS
SELECT id, item
FROM public.orders
WHERE id <@ '[2026-01-01 00:00+00,2026-02-01 00:00+00)'::tstzrange;
CREATE MATERIALIZED VIEW public.by_day AS
SELECT date_trunc('day', uuid_time(id), 'UTC') AS day, count(*)
FROM public.orders
GROUP BY 1;
CREATE FUNCTION public.before(at timestamptz) RETURNS SETOF public.orders BEGIN ATOMIC
	SELECT * FROM public.orders WHERE id < at;
END;
CREATE VIEW public.early AS SELECT * FROM public.before('2026-01-02 00:00+00');
CREATE TABLE public.inspected AS SELECT uuid_inspect(id) AS info, id AS of FROM public.users;
