"""psycopg 3: uuid.UUID both ways, time queries without a cast, binary results, COPY, prepared statements."""

import unittest
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path

import psycopg
from get_booking import get_booking

DRIVERS = Path(__file__).parent.parent


def uuidv7(at):
    """A version 7 that the client makes: 48 bits of Unix milliseconds, the rest random."""
    bits = round(at.timestamp() * 1000) << 80 | uuid.uuid4().int & (1 << 80) - 1
    return uuid.UUID(int=bits & ~(0xF << 76) | 7 << 76)


class Psycopg(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.connection = psycopg.connect(autocommit=True)
        cls.addClassCleanup(cls.connection.close)
        cls.connection.execute((DRIVERS / "schema.sql").read_text())

    def one(self, query, *parameters, **options):
        return self.connection.execute(query, parameters, **options).fetchone()

    def test_insert_without_an_id(self):
        id, made = self.one("INSERT INTO bookings (guest) VALUES ('Ada') RETURNING id, id::timestamptz")
        self.assertIsInstance(id, uuid.UUID)
        self.assertEqual(id.version, 7)
        self.assertEqual(id.int >> 80, int(made.timestamp() * 1000))
        self.assertLess(abs(datetime.now(timezone.utc) - made), timedelta(minutes=1))

    def test_requests(self):
        self.connection.execute((DRIVERS / "requests.sql").read_text())
        requests = self.connection.execute("SELECT public_id, status, body FROM requests ORDER BY status").fetchall()
        self.assertEqual(len(requests), 8)
        nobody = 404, "no such booking"
        for public_id, *answer in [*requests, ("\0", *nobody), ("\udcff", *nobody)]:
            with self.subTest(repr(public_id)):
                self.assertEqual(get_booking(self.connection, public_id), tuple(answer))
        with self.assertRaises(psycopg.errors.UndefinedTable), self.connection.transaction(force_rollback=True):
            self.connection.execute("ALTER TABLE bookings RENAME TO hidden")
            get_booking(self.connection, requests[0][0])

    def test_id_made_by_the_client(self):
        at = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
        mine = uuidv7(at)
        id, made = self.one("INSERT INTO bookings VALUES (%s, 'Grace') RETURNING id, uuid_time(id)", mine)
        self.assertEqual(id, mine)
        self.assertLess(made - at, timedelta(milliseconds=1))

    def test_time_query(self):
        # No cast: a datetime is sent as timestamptz (one without a time zone as timestamp).
        since = datetime(2026, 2, 1, tzinfo=timezone.utc)
        insert = "INSERT INTO events (id, what) VALUES (%s, %s) RETURNING tableoid::regclass::text"
        self.assertEqual(self.one(insert, uuidv7(since - timedelta(milliseconds=1)), "before"), ("events_2026_01",))
        self.assertEqual(self.one(insert, uuidv7(since), "after"), ("events_2026_02",))

        query = "SELECT what FROM events WHERE id >= %s AND id < %s"
        period = since, since + timedelta(days=1)
        self.assertEqual(self.one(query, *period), ("after",))
        plan = self.connection.execute("EXPLAIN " + query, period).fetchall()
        self.assertIn("events_2026_02", str(plan))
        self.assertNotIn("events_2026_01", str(plan))

    def test_partition_of_a_new_id(self):
        id, partition = self.one("INSERT INTO events (what) VALUES ('now') RETURNING id, tableoid::regclass::text")
        made = datetime.fromtimestamp((id.int >> 80) / 1000, timezone.utc)
        self.assertEqual(partition, made.strftime("events_%Y_%m"))

    def test_iuid(self):
        (id,) = self.one("INSERT INTO rides (fare) VALUES (12) RETURNING id::uuid")
        self.assertIsInstance(id, uuid.UUID)
        self.assertEqual(self.one("SELECT fare, iuid_country(id) FROM rides WHERE id = %s", id), (12, 76))
        with self.assertRaises(psycopg.errors.InvalidParameterValue) as caught:
            self.one("INSERT INTO rides VALUES (%s, 1)", uuid.uuid4())
        self.assertEqual(caught.exception.sqlstate, "22023")

    def test_prepared_and_binary(self):
        query = "INSERT INTO bookings (guest) VALUES (%s) RETURNING id"
        ids = [self.one(query, guest, prepare=True, binary=True)[0] for guest in "abc"]
        self.assertEqual([id.version for id in ids], [7, 7, 7])
        self.assertEqual(ids, sorted(set(ids)))
        uses = self.one("SELECT generic_plans + custom_plans FROM pg_prepared_statements WHERE statement LIKE '%%(guest) VALUES ($1)%%'")
        self.assertEqual(uses, (3,))

    def test_copy(self):
        mine = [uuidv7(datetime(2026, 3, day, tzinfo=timezone.utc)) for day in range(1, 8)]
        cursor = self.connection.cursor()
        with cursor.copy("COPY events (id, what) FROM STDIN (FORMAT binary)") as copy:
            copy.set_types(["uuid", "text"])
            for id in mine:
                copy.write_row((id, "copied"))
        with cursor.copy("COPY events_2026_03 (id) TO STDOUT (FORMAT binary)") as copy:
            copy.set_types(["uuid"])
            self.assertEqual([id for (id,) in copy.rows()], mine)

        # the server makes the ids of a column that is left out
        with cursor.copy("COPY bookings (guest) FROM STDIN") as copy:
            copy.write_row(("copied",))
        (id,) = self.one("SELECT id FROM bookings WHERE guest = 'copied'")
        self.assertEqual(id.version, 7)


if __name__ == "__main__":
    unittest.main()
