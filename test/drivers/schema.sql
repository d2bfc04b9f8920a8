-- What the tests of the drivers start from; those of ORMs make their tables themselves.

CREATE EXTENSION uidext;

CREATE TABLE bookings (
	id uuid PRIMARY KEY DEFAULT gen_uuidv7(),
	guest text NOT NULL
);

CREATE TABLE rides (
	id iuid PRIMARY KEY DEFAULT gen_iuid(76, 1),
	fare int NOT NULL
);

CREATE TABLE events (
	id uuid PRIMARY KEY DEFAULT gen_uuidv7(),
	what text NOT NULL
) PARTITION BY RANGE (id);
SELECT uuid_partition_create('events', '2026-01-01 00:00+00', now() + interval '1 month', '1 month');
