"""psycopg2: register_uuid(), times go into the statement with their type."""

import unittest
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path

import psycopg2
import psycopg2.errors
from psycopg2.extras import execute_values, register_uuid

SCHEMA = Path(__file__).parent.parent / "schema.sql"

register_uuid()


class Psycopg2(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.connection = psycopg2.connect("")
        cls.connection.autocommit = True
        cls.addClassCleanup(cls.connection.close)
        cls.cursor = cls.connection.cursor()
        cls.cursor.execute(SCHEMA.read_text())

    def one(self, query, *parameters):
        self.cursor.execute(query, parameters)
        return self.cursor.fetchone()

    def test_insert_without_an_id(self):
        id, made = self.one("INSERT INTO bookings (guest) VALUES ('Ada') RETURNING id, id::timestamptz")
        self.assertIsInstance(id, uuid.UUID)
        self.assertEqual(id.version, 7)
        self.assertEqual(id.int >> 80, int(made.timestamp() * 1000))
        self.assertLess(abs(datetime.now(timezone.utc) - made), timedelta(minutes=1))

    def test_many(self):
        insert = "INSERT INTO bookings (guest) VALUES %s RETURNING id"
        ids = [id for (id,) in execute_values(self.cursor, insert, [("a",), ("b",), ("c",)], fetch=True)]
        self.assertEqual(ids, sorted(set(ids)))

    def test_time_query(self):
        since = datetime(2026, 2, 1, tzinfo=timezone.utc)
        insert = "INSERT INTO events VALUES (%s, %s) RETURNING tableoid::regclass::text"
        before = uuid.UUID("019c167f-cbff-7000-8000-000000000001")
        after = uuid.UUID("019c167f-cc00-7000-8000-000000000001")
        self.assertEqual(self.one(insert, before, "before"), ("events_2026_01",))
        self.assertEqual(self.one(insert, after, "after"), ("events_2026_02",))
        query = "SELECT what FROM events WHERE id >= %s AND id < %s"
        self.assertEqual(self.one(query, since, since + timedelta(days=1)), ("after",))

    def test_iuid(self):
        (id,) = self.one("INSERT INTO rides (fare) VALUES (12) RETURNING id::uuid")
        self.assertIsInstance(id, uuid.UUID)
        self.assertEqual(self.one("SELECT fare, iuid_country(id) FROM rides WHERE id = %s", id), (12, 76))
        with self.assertRaises(psycopg2.errors.InvalidParameterValue) as caught:
            self.one("INSERT INTO rides VALUES (%s, 1)", uuid.uuid4())
        self.assertEqual(caught.exception.pgcode, "22023")


if __name__ == "__main__":
    unittest.main()
