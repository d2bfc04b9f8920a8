-- Partitions: detached while everybody reads and writes

-- There is no uuid_partition_detach(), which would have to be kept waiting.
CREATE FUNCTION uidext_internal.uuid_partition_lock_detachments(parent regclass) RETURNS bool
	LANGUAGE sql VOLATILE STRICT
	RETURN true;
