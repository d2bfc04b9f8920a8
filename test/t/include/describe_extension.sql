-- Everything that the catalogs say of uidext and its objects, one line a
-- property, without OIDs, so that two installations can be compared.
SET search_path = pg_catalog;

-- The members, and what hangs on them: constraints, indexes, triggers, ...
CREATE TEMP VIEW objects AS
WITH RECURSIVE objects(classid, objid, objsubid) AS (
	SELECT classid, objid, objsubid FROM pg_depend
	WHERE deptype = 'e'
		AND (refclassid, refobjid) = (
			'pg_extension'::regclass, (SELECT oid FROM pg_extension WHERE extname = 'uidext'))
	UNION
	SELECT d.classid, d.objid, d.objsubid
	FROM objects AS o JOIN pg_depend AS d ON (d.refclassid, d.refobjid) = (o.classid, o.objid) AND d.deptype IN ('a', 'i')
	-- not what users have made of them
	WHERE d.classid <> 'pg_rewrite'::regclass
)
SELECT DISTINCT classid, objid, pg_describe_object(classid, objid, 0) AS object
FROM objects
-- named by an OID
WHERE pg_describe_object(classid, objid, 0) !~ 'pg_toast|RI_ConstraintTrigger';

CREATE FUNCTION pg_temp.sorted(acl aclitem[]) RETURNS text LANGUAGE sql
	RETURN (SELECT string_agg(item::text, ' ' ORDER BY item::text COLLATE "C") FROM unnest(acl) AS item);

CREATE TEMP VIEW properties(object, property, value) AS

SELECT 'extension', 'itself', concat_ws(' ', extversion, extnamespace::regnamespace, extowner::regrole, extrelocatable)
FROM pg_extension WHERE extname = 'uidext'
UNION ALL
SELECT 'extension', 'dumps ' || c.config::regclass, e.extcondition[c.n]
FROM pg_extension AS e, unnest(extconfig) WITH ORDINALITY AS c(config, n) WHERE extname = 'uidext'

UNION ALL
SELECT o.object, format('depends %s on', d.deptype), pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid)
FROM objects AS o JOIN pg_depend AS d USING (classid, objid)
UNION ALL
SELECT o.object, 'comment ' || coalesce(a.attname, ''), d.description
FROM objects AS o
	JOIN pg_description AS d ON (d.classoid, d.objoid) = (o.classid, o.objid)
	LEFT JOIN pg_attribute AS a ON o.classid = 'pg_class'::regclass
		AND (a.attrelid, a.attnum) = (o.objid, d.objsubid)
		AND d.objsubid > 0
UNION ALL
SELECT o.object, format('initial privileges %s %s', p.privtype, p.objsubid), pg_temp.sorted(p.initprivs)
FROM objects AS o JOIN pg_init_privs AS p ON (p.classoid, p.objoid) = (o.classid, o.objid)

UNION ALL
SELECT o.object, property, value
FROM objects AS o JOIN pg_proc AS p ON o.classid = 'pg_proc'::regclass AND p.oid = o.objid,
	LATERAL (VALUES ('definition', CASE WHEN p.prokind <> 'a' THEN pg_get_functiondef(p.oid) END),
		('binary', p.probin),
		('privileges', pg_temp.sorted(p.proacl)),
		('owner', p.proowner::regrole::text)) AS properties(property, value)

UNION ALL
SELECT o.object, 'aggregate',
	concat_ws(' ', p.provolatile, p.proisstrict, p.proparallel, p.proleakproof, a.aggtransfn::regprocedure,
		a.aggfinalfn::regprocedure,
	a.aggcombinefn::regprocedure, a.aggsortop::regoperator, a.aggtranstype::regtype, a.agginitval)
FROM objects AS o
JOIN pg_proc AS p ON o.classid = 'pg_proc'::regclass AND p.oid = o.objid
JOIN pg_aggregate AS a ON a.aggfnoid = p.oid

UNION ALL
SELECT o.object, property, value
FROM objects AS o JOIN pg_type AS t ON o.classid = 'pg_type'::regclass AND t.oid = o.objid,
	LATERAL (VALUES
		('kind',
			concat_ws(' ', t.typtype, t.typcategory, t.typlen, t.typbyval, t.typalign, t.typstorage, t.typdelim,
				t.typispreferred)),
		('base', concat_ws(' ', format_type(t.typbasetype, t.typtypmod), t.typcollation::regcollation, t.typnotnull, t.typdefault)),
		('functions', concat_ws(' ', t.typinput, t.typoutput, t.typreceive, t.typsend, t.typanalyze, t.typsubscript)),
		('privileges', pg_temp.sorted(t.typacl)), ('owner', t.typowner::regrole::text)) AS properties(property, value)

UNION ALL
SELECT o.object, property, value
FROM objects AS o
JOIN pg_class AS c ON o.classid = 'pg_class'::regclass AND c.oid = o.objid
LEFT JOIN pg_am AS m ON m.oid = c.relam,
	LATERAL (VALUES
		('kind',
			concat_ws(' ', c.relkind, c.relpersistence, m.amname, c.relrowsecurity, c.relforcerowsecurity,
				c.relreplident, c.reloptions::text)),
		('index', CASE WHEN c.relkind IN ('i', 'I') THEN pg_get_indexdef(c.oid) END),
		('definition', CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) END),
		('privileges', pg_temp.sorted(c.relacl)), ('owner', c.relowner::regrole::text)) AS properties(property, value)
UNION ALL
SELECT o.object, 'column ' || row_number() OVER (PARTITION BY o.objid ORDER BY a.attnum),
	concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attcollation::regcollation, a.attnotnull,
		a.attidentity, a.attgenerated,
		a.attstorage, pg_get_expr(d.adbin, d.adrelid), pg_temp.sorted(a.attacl))
FROM objects AS o
	JOIN pg_attribute AS a ON o.classid = 'pg_class'::regclass AND a.attrelid = o.objid AND a.attnum > 0 AND NOT a.attisdropped
	LEFT JOIN pg_attrdef AS d ON (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
UNION ALL
SELECT o.object, 'definition', concat_ws(' ', pg_get_constraintdef(c.oid), c.convalidated)
FROM objects AS o JOIN pg_constraint AS c ON o.classid = 'pg_constraint'::regclass AND c.oid = o.objid
UNION ALL
SELECT o.object, 'definition', concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled)
FROM objects AS o JOIN pg_trigger AS t ON o.classid = 'pg_trigger'::regclass AND t.oid = o.objid

UNION ALL
SELECT o.object, 'definition', concat_ws(' ', p.oprresult::regtype, p.oprcode, p.oprrest, p.oprjoin, p.oprcanmerge, p.oprcanhash,
	'commutator', p.oprcom::regoperator, 'negator', p.oprnegate::regoperator, p.oprowner::regrole)
FROM objects AS o JOIN pg_operator AS p ON o.classid = 'pg_operator'::regclass AND p.oid = o.objid
UNION ALL
SELECT o.object, 'definition', concat_ws(' ', pg_describe_object('pg_opfamily'::regclass, c.opcfamily, 0), c.opcintype::regtype,
	c.opckeytype::regtype, c.opcdefault, c.opcowner::regrole)
FROM objects AS o JOIN pg_opclass AS c ON o.classid = 'pg_opclass'::regclass AND c.oid = o.objid
UNION ALL
SELECT o.object, 'operator ' || concat_ws(' ', a.amopstrategy, a.amoppurpose), a.amopopr::regoperator::text
FROM objects AS o JOIN pg_amop AS a ON o.classid = 'pg_opfamily'::regclass AND a.amopfamily = o.objid
UNION ALL
SELECT o.object, 'function ' || a.amprocnum, a.amproc::regprocedure::text
FROM objects AS o JOIN pg_amproc AS a ON o.classid = 'pg_opfamily'::regclass AND a.amprocfamily = o.objid
UNION ALL
SELECT o.object, 'definition', concat_ws(' ', c.castfunc::regprocedure, c.castcontext, c.castmethod)
FROM objects AS o JOIN pg_cast AS c ON o.classid = 'pg_cast'::regclass AND c.oid = o.objid;

SELECT line
FROM (
	SELECT concat(object, ': ', property, ': ', regexp_replace(value, '\s+', ' ', 'g')) AS line
	FROM properties
	WHERE value IS NOT NULL) AS lines
ORDER BY line COLLATE "C";
