"""asyncpg: everything is prepared and binary, and the server says what type a parameter has."""

import asyncio
import unittest
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path

import asyncpg

SCHEMA = Path(__file__).parent.parent / "schema.sql"


async def make_tables():
    connection = await asyncpg.connect()
    await connection.execute(SCHEMA.read_text())
    await connection.close()


class Asyncpg(unittest.IsolatedAsyncioTestCase):
    @classmethod
    def setUpClass(cls):
        asyncio.run(make_tables())

    async def asyncSetUp(self):
        self.connection = await asyncpg.connect()
        self.addAsyncCleanup(self.connection.close)

    async def test_insert_without_an_id(self):
        insert = "INSERT INTO bookings (guest) VALUES ($1) RETURNING id, id::timestamptz AS made"
        id, made = await self.connection.fetchrow(insert, "Ada")
        self.assertIsInstance(id, uuid.UUID)
        self.assertEqual(id.version, 7)
        self.assertEqual(id.int >> 80, int(made.timestamp() * 1000))
        self.assertLess(abs(datetime.now(timezone.utc) - made), timedelta(minutes=1))

    async def test_time_query(self):
        since = datetime(2026, 2, 1, tzinfo=timezone.utc)
        insert = "INSERT INTO events (id, what) VALUES (gen_uuidv7_at($1), $2) RETURNING tableoid::regclass::text"
        self.assertEqual(await self.connection.fetchval(insert, since - timedelta(milliseconds=1), "before"), "events_2026_01")
        self.assertEqual(await self.connection.fetchval(insert, since, "after"), "events_2026_02")

        query = "SELECT what FROM events WHERE id >= $1::timestamptz AND id < $2::timestamptz"
        self.assertEqual(await self.connection.fetchval(query, since, since + timedelta(days=1)), "after")
        # A function says the type, too.
        query = "SELECT what FROM events WHERE id >= uuid_boundary($1) AND id < uuid_boundary($2)"
        self.assertEqual(await self.connection.fetchval(query, since, since + timedelta(days=1)), "after")
        # Without either, a parameter beside a uuid is a uuid.
        with self.assertRaises(asyncpg.DataError):
            await self.connection.fetchval("SELECT what FROM events WHERE id >= $1", since)

    async def test_iuid(self):
        id = await self.connection.fetchval("INSERT INTO rides (fare) VALUES (12) RETURNING id::uuid")
        self.assertIsInstance(id, uuid.UUID)
        row = await self.connection.fetchrow("SELECT fare, iuid_country(id) FROM rides WHERE id = $1", id)
        self.assertEqual(tuple(row), (12, 76))
        with self.assertRaises(asyncpg.InvalidParameterValueError) as caught:
            await self.connection.execute("INSERT INTO rides VALUES ($1::uuid, 1)", uuid.uuid4())
        self.assertEqual(caught.exception.sqlstate, "22023")

    async def test_copy(self):
        days = [datetime(2026, 3, day, tzinfo=timezone.utc) for day in range(1, 8)]
        mine = [await self.connection.fetchval("SELECT gen_uuidv7_at($1)", day) for day in days]
        await self.connection.copy_records_to_table("events", columns=["id", "what"], records=[(id, "copied") for id in mine])
        rows = await self.connection.fetch("SELECT id FROM events_2026_03 ORDER BY id")
        self.assertEqual([row["id"] for row in rows], mine)


if __name__ == "__main__":
    unittest.main()
