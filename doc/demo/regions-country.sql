-- What every country's server runs; included by regions.sql.
CREATE EXTENSION uidext;
INSERT INTO iuid.countries (id, code, name) VALUES (76, 'BR', 'Brazil'), (82, 'KZ', 'Kazakhstan');
INSERT INTO iuid.service_entities (id, name) VALUES (1, 'Order');
CREATE TABLE orders (
	id iuid PRIMARY KEY DEFAULT gen_iuid('Order'),
	customer int NOT NULL,
	total numeric NOT NULL,
	paid_at timestamptz
) PARTITION BY HASH (id iuid_country_ops);
SELECT iuid_partition_create('orders', ARRAY[current_setting('uidext.country')::int]);
INSERT INTO orders (customer, total) SELECT i, i % 300 FROM generate_series(1, 10000) i;
