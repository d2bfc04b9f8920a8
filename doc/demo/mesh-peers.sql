-- And, once every country has its own partition, this; included by mesh.sql.
CREATE SERVER brazil FOREIGN DATA WRAPPER postgres_fdw
	OPTIONS (host :'region_dir', port '5432', dbname 'postgres', extensions 'uidext', truncatable 'false', connect_timeout '3');
CREATE SERVER kazakhstan FOREIGN DATA WRAPPER postgres_fdw
	OPTIONS (host :'region_dir', port '5433', dbname 'postgres', extensions 'uidext', truncatable 'false', connect_timeout '3');
CREATE SERVER mexico FOREIGN DATA WRAPPER postgres_fdw
	OPTIONS (host :'region_dir', port '5434', dbname 'postgres', extensions 'uidext', truncatable 'false', connect_timeout '3');
CREATE USER MAPPING FOR PUBLIC SERVER brazil OPTIONS (user 'postgres');
CREATE USER MAPPING FOR PUBLIC SERVER kazakhstan OPTIONS (user 'postgres');
CREATE USER MAPPING FOR PUBLIC SERVER mexico OPTIONS (user 'postgres');
SELECT iuid_partition_create('orders', ARRAY[country], server) AS partition
FROM (VALUES (76, 'brazil'), (82, 'kazakhstan'), (123, 'mexico')) AS peers (country, server)
WHERE country <> current_setting('uidext.country')::int;
