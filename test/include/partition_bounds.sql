\set ECHO none
-- Partitions of all tables, with their bounds.
CREATE VIEW partitions AS
SELECT i.inhparent::regclass AS parent, c.oid::regclass AS partition, pg_get_expr(c.relpartbound, c.oid) AS bound
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE c.relispartition AND c.relkind IN ('r', 'p', 'f');
\set ECHO all
