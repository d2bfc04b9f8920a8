/*-------------------------------------------------------------------------
 *
 * registry.c
 *	  Ids of countries and service entities by name.
 *
 * The registry is two small tables of the extension.  At the first look-up, a
 * session reads both tables without checking privileges.  It sees what is
 * committed and what it has changed itself.  It keeps the names in memory
 * until the tables change: triggers on the tables send a relcache
 * invalidation, which is sent at commit and dropped by a rollback.  Other
 * sessions process it when they next lock a table or begin a transaction.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/pg_namespace.h"
#include "commands/extension.h"
#include "commands/trigger.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "countries/registry.h"

/* Columns of the tables iuid.countries and iuid.service_entities. */
#define Anum_id						1
#define Anum_countries_code			2
#define Anum_countries_name			3
#define Anum_service_entities_name	2

#define REGISTRY_IDS	256

typedef struct RegistryEntry
{
	char	   *name;
	Size		length;
	int			id;
} RegistryEntry;

/* The unique names in one column of a table, sorted. */
typedef struct RegistryColumn
{
	const char *table;
	AttrNumber	attnum;
	Oid			relid;
	int			count;
	RegistryEntry entries[REGISTRY_IDS];
	const RegistryEntry *last;	/* found last: often wanted again */
} RegistryColumn;

static RegistryColumn country_codes = {.table = "countries",
.attnum = Anum_countries_code};
static RegistryColumn country_names = {.table = "countries",
.attnum = Anum_countries_name};
static RegistryColumn service_entity_names = {.table = "service_entities",
.attnum = Anum_service_entities_name};

static MemoryContext registry_context = NULL;

/* The number of invalidations so far, and as of the last load. */
static uint64 registry_changes = 1;
static uint64 registry_loaded = 0;

/*
 * Whether the names that were loaded may include changes of this session whose
 * triggers have not fired yet.  If such a statement is rolled back, no
 * invalidation comes.
 */
static bool registry_is_own = false;

static void
registry_invalidate(Datum arg, Oid relid)
{
	if (relid == InvalidOid ||
		relid == country_codes.relid ||
		relid == service_entity_names.relid)
		registry_changes++;
}

static void
registry_rollback(void)
{
	if (registry_is_own)
		registry_changes++;
}

static void
registry_end_transaction(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_ABORT)
		registry_rollback();
}

static void
registry_end_subtransaction(SubXactEvent event, SubTransactionId id,
							SubTransactionId parent, void *arg)
{
	if (event == SUBXACT_EVENT_ABORT_SUB)
		registry_rollback();
}

void
registry_init(void)
{
	CacheRegisterRelcacheCallback(registry_invalidate, (Datum) 0);
	RegisterXactCallback(registry_end_transaction, NULL);
	RegisterSubXactCallback(registry_end_subtransaction, NULL);
}

static int
compare_bytes(const char *a, Size a_length, const char *b, Size b_length)
{
	int			order = memcmp(a, b, Min(a_length, b_length));

	if (order != 0)
		return order;
	return a_length < b_length ? -1 : a_length > b_length;
}

static int
compare_entries(const void *a, const void *b)
{
	const RegistryEntry *x = (const RegistryEntry *) a;
	const RegistryEntry *y = (const RegistryEntry *) b;

	return compare_bytes(x->name, x->length, y->name, y->length);
}

static void
column_add(RegistryColumn *column, int id, const text *name)
{
	RegistryEntry *entry;

	if (column->count == REGISTRY_IDS)
		elog(ERROR, "table iuid.%s has more than %d rows", column->table,
			 REGISTRY_IDS);

	entry = &column->entries[column->count++];
	entry->id = id;
	entry->length = VARSIZE_ANY_EXHDR(name);
	entry->name = MemoryContextAlloc(registry_context, entry->length);
	memcpy(entry->name, VARDATA_ANY(name), entry->length);
}

static void
column_load(RegistryColumn *column, Oid schema)
{
	Relation	rel;
	SysScanDesc scan;
	HeapTuple	tuple;
	Datum	   *values;
	bool	   *isnull;
	int			id = Anum_id - 1;
	int			name = column->attnum - 1;

	column->count = 0;
	column->last = NULL;
	column->relid = get_relname_relid(column->table, schema);
	if (!OidIsValid(column->relid))
		elog(ERROR, "table iuid.%s does not exist", column->table);

	rel = table_open(column->relid, AccessShareLock);
	if (CheckRelationLockedByMe(rel, RowExclusiveLock, true))
		registry_is_own = true;
	scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	values = palloc(RelationGetNumberOfAttributes(rel) * sizeof(Datum));
	isnull = palloc(RelationGetNumberOfAttributes(rel) * sizeof(bool));
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		/* heap_getattr() needs functions that older minor releases lack */
		heap_deform_tuple(tuple, RelationGetDescr(rel), values, isnull);
		if (isnull[id] || isnull[name])
			elog(ERROR, "unexpected null in table iuid.%s", column->table);
		column_add(column, DatumGetInt32(values[id]),
				   DatumGetTextPP(values[name]));
	}
	pfree(values);
	pfree(isnull);
	systable_endscan(scan);
	table_close(rel, AccessShareLock);

	qsort(column->entries, column->count, sizeof(RegistryEntry),
		  compare_entries);
}

/*
 * The schema of the registry, or InvalidOid.  While the extension does not
 * exist, anybody can create a schema of this name, so it counts only if it is
 * a member of the extension.
 */
static Oid
registry_schema(void)
{
	Oid			schema = get_namespace_oid("iuid", true);
	Oid			extension = get_extension_oid("uidext", true);

	if (!OidIsValid(schema) || !OidIsValid(extension) ||
		getExtensionOfObject(NamespaceRelationId, schema) != extension)
		return InvalidOid;
	return schema;
}

/* If an invalidation arrives during the load, the next look-up loads again. */
static void
registry_load(Oid schema)
{
	uint64		changes = registry_changes;

	if (!OidIsValid(schema))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_SCHEMA),
				 errmsg("schema \"iuid\" of extension uidext does not exist"),
				 errhint("If somebody renamed the schema, rename it back to iuid. If it is no longer part of the extension, run: ALTER EXTENSION uidext ADD SCHEMA iuid")));

	if (registry_context == NULL)
		registry_context = AllocSetContextCreate(CacheMemoryContext,
												 "uidext registry",
												 ALLOCSET_SMALL_SIZES);
	MemoryContextReset(registry_context);

	registry_is_own = false;
	column_load(&country_codes, schema);
	column_load(&country_names, schema);
	column_load(&service_entity_names, schema);
	registry_loaded = changes;
}

/* The id of the name that was found last in a column; -1 for another name. */
static inline int
column_repeat(const RegistryColumn *column, const char *name, Size length)
{
	const RegistryEntry *last = column->last;

	if (last == NULL || last->length != length ||
		memcmp(last->name, name, length) != 0)
		return -1;
	return last->id;
}

/* The id of a name in a column, or -1. */
static int
column_find(RegistryColumn *column, const char *name, Size length)
{
	RegistryEntry key = {.name = unconstify(char *, name),.length = length};
	const RegistryEntry *found;
	int			id = column_repeat(column, name, length);

	if (id >= 0)
		return id;

	found = bsearch(&key, column->entries, column->count,
					sizeof(RegistryEntry), compare_entries);
	if (found == NULL)
		return -1;
	column->last = found;
	return found->id;
}

/* The id of a country, or -1.  The registry has to be loaded. */
static inline int
country_find(const char *name, Size length)
{
	/* a code goes before a name, but what was found as a name is not a code */
	int			id = column_repeat(&country_names, name, length);

	if (id < 0)
		id = column_find(&country_codes, name, length);
	if (id < 0)
		id = column_find(&country_names, name, length);
	return id;
}

/* The text '76' is looked up as a name, but its writer meant the id 76. */
static const char *
hint_for(const char *name, Size length, const char *otherwise)
{
	if (length > 0 && strspn(pnstrdup(name, length), "0123456789") == length)
		return "Ids are integers. Write them without quotes.";
	return otherwise;
}

/* is_setting: the name is the value of uidext.country, and not in the call. */
int
registry_country_id(const char *name, Size length, bool is_setting)
{
	int			id;

	if (unlikely(registry_loaded != registry_changes))
		registry_load(registry_schema());

	id = country_find(name, length);
	if (id < 0 && is_setting)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("country \"%s\" is not in the registry",
						pnstrdup(name, length)),
				 errdetail("It is the value of the parameter uidext.country."),
				 errhint("Set it to an id from 0 to 255 without leading zeros, or to a code or name in table iuid.countries.")));
	if (id < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("country \"%s\" is not in the registry",
						pnstrdup(name, length)),
				 errhint("%s", hint_for(name, length, REGISTRY_COUNTRY_HINT))));
	return id;
}

/*
 * False only if the country is certainly not in the registry: the variable may
 * be set before the extension exists.  Needs a transaction.
 */
bool
registry_may_have_country(const char *name)
{
	if (registry_loaded != registry_changes)
	{
		Oid			schema = registry_schema();

		if (!OidIsValid(schema) ||
			!OidIsValid(get_relname_relid(service_entity_names.table, schema)))
			return true;
		registry_load(schema);
	}
	return country_find(name, strlen(name)) >= 0;
}

int
registry_service_entity_id(const text *name)
{
	int			id;

	if (unlikely(registry_loaded != registry_changes))
		registry_load(registry_schema());

	id = column_find(&service_entity_names, VARDATA_ANY(name),
					 VARSIZE_ANY_EXHDR(name));
	if (id < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("service entity \"%s\" is not in the registry",
						text_to_cstring(name)),
				 errhint("%s",
						 hint_for(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name),
								  "Upper and lower case differ. If the service entity is missing, add it to table iuid.service_entities."))));
	return id;
}

/*
 * iuid_registry_changed() returns trigger
 *
 * Trigger of the registry tables: makes every session read them again after
 * the change has committed.
 */
PG_FUNCTION_INFO_V1(uidext_iuid_registry_changed);
Datum
uidext_iuid_registry_changed(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("iuid_registry_changed: not called by trigger manager")));

	CacheInvalidateRelcache(trigger->tg_relation);
	return PointerGetDatum(NULL);
}
