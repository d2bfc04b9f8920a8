-- What every country's server runs; included by mesh.sql.
CREATE EXTENSION uidext;
CREATE EXTENSION postgres_fdw;
INSERT INTO iuid.countries (id, code, name) VALUES (76, 'BR', 'Brazil'), (82, 'KZ', 'Kazakhstan'), (123, 'MX', 'Mexico');
INSERT INTO iuid.service_entities (id, name) VALUES (1, 'Order');
CREATE TABLE orders (
	id iuid NOT NULL DEFAULT gen_iuid('Order'),
	customer int NOT NULL,
	total numeric NOT NULL
) PARTITION BY HASH (id iuid_country_ops);
SELECT format('ALTER TABLE %s ADD PRIMARY KEY (id)', partition)
FROM iuid_partition_create('orders', ARRAY[current_setting('uidext.country')::int])
\gexec
INSERT INTO orders (customer, total) SELECT i, i % 300 FROM generate_series(1, 1000) i;
