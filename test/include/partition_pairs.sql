\set ECHO none
-- Partitions of all tables, with their bounds and what they refer to.
CREATE VIEW pairs AS
SELECT i.inhparent::regclass AS parent, c.oid::regclass AS partition, pg_get_expr(c.relpartbound, c.oid) AS bound,
	(SELECT string_agg(pg_get_constraintdef(k.oid), '; ' ORDER BY k.oid)
		FROM pg_constraint k
		WHERE k.conrelid = c.oid AND k.contype = 'f') AS key
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid;
\set ECHO all
