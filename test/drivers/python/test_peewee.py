"""Peewee: the DEFAULT as a constraint, ids by RETURNING, a cast parameter for times."""

import os
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path

from peewee import SQL, Field, IntegerField, Model, PostgresqlDatabase, TextField, UUIDField, Value, fn
from playhouse.reflection import Introspector

database = PostgresqlDatabase(os.environ["PGDATABASE"])  # libpq takes the rest from PGHOST, PGUSER, …


def timestamptz(value):
    """A datetime as a bound parameter."""
    return Value(value, converter=False).cast("timestamptz")


class IuidField(UUIDField):
    field_type = "iuid"


class Base(Model):
    class Meta:
        database = database


class Booking(Base):
    id = UUIDField(primary_key=True, constraints=[SQL("DEFAULT gen_uuidv7()")])
    guest = TextField()

    class Meta:
        table_name = "guests"


class Ride(Base):
    id = IuidField(primary_key=True, constraints=[SQL("DEFAULT gen_iuid(76, 1)")])
    fare = IntegerField()

    class Meta:
        table_name = "tours"


class Event(Base):
    id = UUIDField(primary_key=True, constraints=[SQL("DEFAULT gen_uuidv7()")])
    what = TextField()

    class Meta:
        table_name = "events"


class Peewee(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(database.close)
        database.cursor().execute((Path(__file__).parent / "../schema.sql").read_text())
        database.create_tables([Booking, Ride])

    def test_insert_without_an_id(self):
        ids = [Booking.create(guest=guest).id for guest in "abc"]
        self.assertEqual([id.version for id in ids], [7, 7, 7])
        self.assertEqual(ids, sorted(set(ids)))

    def test_time_query(self):
        since = datetime(2026, 2, 1, tzinfo=timezone.utc)
        for what, at in ("before", since - timedelta(milliseconds=1)), ("after", since):
            Event.insert(id=fn.gen_uuidv7_at(at), what=what).execute()
        query = Event.select().where(Event.id >= timestamptz(since), Event.id < timestamptz(since + timedelta(days=1)))
        self.assertEqual([event.what for event in query], ["after"])

    def test_iuid(self):
        ride = Ride.create(fare=12)
        country = fn.iuid_country(Ride.id).converter(int)
        self.assertEqual(Ride.select(country).where(Ride.id == ride.id).scalar(), 76)

    def test_pwiz(self):
        models = Introspector.from_database(database).generate_models()
        self.assertIn("events_2026_02", models)
        self.assertNotIn("countries", models)
        self.assertIsInstance(models["bookings"].id, UUIDField)
        self.assertNotIsInstance(models["rides"].id, UUIDField)


if __name__ == "__main__":
    unittest.main()
