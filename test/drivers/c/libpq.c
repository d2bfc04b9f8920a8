/*-------------------------------------------------------------------------
 *
 * libpq.c
 *	  libpq in binary: a uuid is its 16 bytes, a timestamptz is a parameter
 *	  with its type or one with a cast.
 *
 *-------------------------------------------------------------------------
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <libpq-fe.h>

#define UUIDOID			2950
#define TIMESTAMPTZOID	1184

#define BINARY			1

/* 2000-01-01 UTC, from which timestamptz counts microseconds */
#define POSTGRES_EPOCH	INT64_C(946684800)

/* 2026-02-01 00:00 UTC, and the ids of the client: time, version 7, a number */
#define FEBRUARY		INT64_C(1769904000)
#define DAY				INT64_C(86400)

static PGconn *conn;

static void
put_number(unsigned char *bytes, int length, uint64_t value)
{
	while (length-- > 0)
	{
		bytes[length] = (unsigned char) value;
		value >>= 8;
	}
}

static uint64_t
get_number(const void *bytes, int length)
{
	uint64_t	value = 0;

	for (int i = 0; i < length; i++)
		value = value << 8 | ((const unsigned char *) bytes)[i];
	return value;
}

/* A version 7 that the client makes; a real one ends in random bits. */
static void
make_uuidv7(unsigned char *id, int64_t unix_ms)
{
	put_number(id, 6, (uint64_t) unix_ms);
	put_number(id + 6, 2, 0x7000);
	put_number(id + 8, 8, UINT64_C(0x8000000000000001));
}

static void
make_timestamptz(unsigned char *value, int64_t unix_seconds)
{
	put_number(value, 8, (uint64_t) ((unix_seconds - POSTGRES_EPOCH) * 1000000));
}

static PGresult *
checked(PGresult *result, ExecStatusType expected)
{
	if (PQresultStatus(result) != expected)
		fail_msg("%s: %s", PQresStatus(PQresultStatus(result)), PQresultErrorMessage(result));
	return result;
}

/* One query with binary parameters and a binary result. */
static PGresult *
query(const char *text, int n, const Oid *types, const void *const *values, const int *lengths)
{
	static const int formats[] = {BINARY, BINARY};

	return PQexecParams(conn, text, n, types, (const char *const *) values, lengths, formats, BINARY);
}

static int
connect_and_make_tables(void **state)
{
	char		schema[4096] = "";
	FILE	   *file = fopen("../schema.sql", "r");

	(void) state;
	if (file == NULL)
		return -1;
	schema[fread(schema, 1, sizeof(schema) - 1, file)] = '\0';
	fclose(file);

	conn = PQconnectdb("");		/* PGHOST, PGDATABASE, ... say where */
	PQclear(checked(PQexec(conn, schema), PGRES_TUPLES_OK));
	return 0;
}

static int
disconnect(void **state)
{
	(void) state;
	PQfinish(conn);
	return 0;
}

static void
insert_without_an_id(void **state)
{
	PGresult   *result = checked(query("INSERT INTO bookings (guest) VALUES ('Ada') RETURNING id, id::timestamptz",
									   0, NULL, NULL, NULL), PGRES_TUPLES_OK);
	const char *id = PQgetvalue(result, 0, 0);
	int64_t		unix_ms = (int64_t) get_number(id, 6);
	int64_t		made = (int64_t) get_number(PQgetvalue(result, 0, 1), 8);

	(void) state;
	assert_int_equal(PQftype(result, 0), UUIDOID);
	assert_int_equal(PQgetlength(result, 0, 0), 16);
	assert_int_equal(id[6] >> 4, 7);
	assert_int_equal(unix_ms, made / 1000 + POSTGRES_EPOCH * 1000);
	assert_true(llabs(unix_ms / 1000 - (int64_t) time(NULL)) < 60);
	PQclear(result);
}

static void
time_query(void **state)
{
	unsigned char id[16],
				since[8],
				until[8];
	const void *const values[] = {since, until};
	const int	lengths[] = {8, 8};
	const Oid	types[] = {TIMESTAMPTZOID, TIMESTAMPTZOID};
	const char *partitions[] = {"events_2026_01", "events_2026_02"};
	PGresult   *result;

	(void) state;
	for (int i = 0; i < 2; i++)
	{
		make_uuidv7(id, FEBRUARY * 1000 - 1 + i);
		result = checked(query("INSERT INTO events VALUES ($1, 'an event') RETURNING tableoid::regclass::text",
							   1, (Oid[]) {UUIDOID}, (const void *[]) {id}, (int[]) {16}), PGRES_TUPLES_OK);
		assert_string_equal(PQgetvalue(result, 0, 0), partitions[i]);
		PQclear(result);
	}

	/* with the type of the parameters */
	make_timestamptz(since, FEBRUARY);
	make_timestamptz(until, FEBRUARY + DAY);
	result = checked(query("SELECT id FROM events WHERE id >= $1 AND id < $2",
						   2, types, values, lengths), PGRES_TUPLES_OK);
	assert_int_equal(PQntuples(result), 1);
	assert_memory_equal(PQgetvalue(result, 0, 0), id, 16);
	PQclear(result);

	/* without it, a parameter beside a uuid is a uuid unless it has a cast */
	result = checked(query("SELECT id FROM events WHERE id >= $1::timestamptz AND id < $2::timestamptz",
						   2, NULL, values, lengths), PGRES_TUPLES_OK);
	assert_int_equal(PQntuples(result), 1);
	PQclear(result);
	result = checked(query("SELECT id FROM events WHERE id >= $1 AND id < $2",
						   2, NULL, values, lengths), PGRES_FATAL_ERROR);
	assert_string_equal(PQresultErrorField(result, PG_DIAG_SQLSTATE), "08P01");
	PQclear(result);
}

static void
iuid(void **state)
{
	unsigned char id[16];
	PGresult   *result = checked(query("INSERT INTO rides (fare) VALUES (12) RETURNING id::uuid, iuid_country(id)",
									   0, NULL, NULL, NULL), PGRES_TUPLES_OK);

	(void) state;
	assert_int_equal(PQftype(result, 0), UUIDOID);
	assert_int_equal(get_number(PQgetvalue(result, 0, 1), 4), 76);
	PQclear(result);

	make_uuidv7(id, FEBRUARY * 1000);
	result = checked(query("INSERT INTO rides VALUES ($1, 1)",
						   1, (Oid[]) {UUIDOID}, (const void *[]) {id}, (int[]) {16}), PGRES_FATAL_ERROR);
	assert_string_equal(PQresultErrorField(result, PG_DIAG_SQLSTATE), "22023");
	PQclear(result);
}

static void
prepared(void **state)
{
	unsigned char last[16] = {0};

	(void) state;
	PQclear(checked(PQprepare(conn, "book", "INSERT INTO bookings (guest) VALUES ('prepared') RETURNING id", 0, NULL),
					PGRES_COMMAND_OK));
	for (int i = 0; i < 3; i++)
	{
		PGresult   *result = checked(PQexecPrepared(conn, "book", 0, NULL, NULL, NULL, BINARY), PGRES_TUPLES_OK);

		assert_true(memcmp(PQgetvalue(result, 0, 0), last, 16) > 0);
		memcpy(last, PQgetvalue(result, 0, 0), 16);
		PQclear(result);
	}
}

/* Binary COPY: a header, for each row its columns with their lengths, -1. */
static void
binary_copy(void **state)
{
	static const char header[19] = "PGCOPY\n\377\r\n";
	unsigned char row[2 + 4 + 16 + 4 + 1] = {0};
	unsigned char *id = row + 6;
	PGresult   *result;

	(void) state;
	put_number(row, 2, 2);
	put_number(row + 2, 4, 16);
	make_uuidv7(id, (FEBRUARY + 28 * DAY) * 1000);
	put_number(row + 22, 4, 1);
	row[26] = 'x';

	PQclear(checked(PQexec(conn, "COPY events (id, what) FROM STDIN (FORMAT binary)"), PGRES_COPY_IN));
	assert_int_equal(PQputCopyData(conn, header, sizeof(header)), 1);
	assert_int_equal(PQputCopyData(conn, (char *) row, sizeof(row)), 1);
	assert_int_equal(PQputCopyData(conn, "\377\377", 2), 1);
	assert_int_equal(PQputCopyEnd(conn, NULL), 1);
	PQclear(checked(PQgetResult(conn), PGRES_COMMAND_OK));
	assert_null(PQgetResult(conn));

	result = checked(query("SELECT id FROM events_2026_03", 0, NULL, NULL, NULL), PGRES_TUPLES_OK);
	assert_int_equal(PQntuples(result), 1);
	assert_memory_equal(PQgetvalue(result, 0, 0), id, 16);
	PQclear(result);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(insert_without_an_id),
		cmocka_unit_test(time_query),
		cmocka_unit_test(iuid),
		cmocka_unit_test(prepared),
		cmocka_unit_test(binary_copy),
	};

	return cmocka_run_group_tests(tests, connect_and_make_tables, disconnect);
}
