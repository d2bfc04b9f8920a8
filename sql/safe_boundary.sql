-- Reading in the order of ids

-- A set, so that WHERE refuses it: a statement's own snapshot is too old.
CREATE FUNCTION uuid_safe_boundary() RETURNS SETOF uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_safe_boundary'
	LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 1;
COMMENT ON FUNCTION uuid_safe_boundary() IS
	'one row: the newest boundary below which no open transaction of this database can add an id made by this server; a later statement sees all ids below it that will ever be. Holds for ids that the inserting transaction makes with the clock (v7, COMB, iUID; for v6 and v13 give its uuid_boundary_time() to uuidv6_boundary()), not for ids of clients, of _at or of a negative shift, nor while the clock steps back. Nil UUID while a prepared transaction is open; a transaction of a session without track_activities counts from the session''s start. Raises 55000 on a standby and above READ COMMITTED, 0A000 in a statement that reads a table';
