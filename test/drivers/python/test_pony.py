"""Pony: auto=True makes a v4 in the client, sql_default a v7 in the server."""

import unittest
import uuid

from pony.orm import Database, PrimaryKey, Required, db_session, flush, raw_sql

db = Database()


class Booking(db.Entity):
    id = PrimaryKey(uuid.UUID, sql_default="gen_uuidv7()")
    guest = Required(str)


class Visit(db.Entity):
    id = PrimaryKey(uuid.UUID, auto=True)
    guest = Required(str)


class Pony(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        db.bind(provider="postgres")  # PGHOST, PGDATABASE, … say where
        cls.addClassCleanup(db.disconnect)
        with db_session:
            db.execute("CREATE EXTENSION uidext")
        db.generate_mapping(create_tables=True)

    def made(self, entity):
        with db_session:
            rows = [entity(guest=guest) for guest in "abc"]
            flush()
            return [row.id for row in rows]

    def test_insert_without_an_id(self):
        ids = self.made(Booking)
        self.assertEqual([id.version for id in ids], [7, 7, 7])
        self.assertEqual(ids, sorted(set(ids)))

    def test_auto_is_a_v4_of_the_client(self):
        self.assertEqual([id.version for id in self.made(Visit)], [4, 4, 4])

    def test_time_query(self):
        self.made(Booking)
        with db_session:
            made = Booking.select(lambda b: raw_sql("b.id >= now() - interval '1 hour'"))
            self.assertGreaterEqual(made.count(), 3)


if __name__ == "__main__":
    unittest.main()
