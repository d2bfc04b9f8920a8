"""SQLAlchemy and Alembic: server_default in the migration and in the model, time queries through cast()."""

import unittest
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path

import alembic.autogenerate
import alembic.command
import alembic.config
import sqlalchemy
from alembic.migration import MigrationContext
from sqlalchemy import Column, DateTime, Integer, Text, cast, create_engine, func, literal_column, select, text
from sqlalchemy.dialects.postgresql import UUID
from sqlalchemy.exc import DataError
from sqlalchemy.orm import Session, declarative_base

from iuid import Iuid

SQLALCHEMY_2 = not sqlalchemy.__version__.startswith("1.")

Base = declarative_base()


class Booking(Base):
    __tablename__ = "bookings"
    id = Column(UUID(as_uuid=True), primary_key=True, server_default=func.gen_uuidv7())
    guest = Column(Text, nullable=False)


class Ride(Base):
    __tablename__ = "rides"
    id = Column(Iuid, primary_key=True, server_default=text("gen_iuid(76, 1)"))
    fare = Column(Integer, nullable=False)


class Event(Base):
    __tablename__ = "events"
    id = Column(UUID(as_uuid=True), primary_key=True, server_default=func.gen_uuidv7())
    what = Column(Text, nullable=False)


def timestamptz(value):
    """A datetime as a bound parameter, or the time in an id."""
    return cast(value, DateTime(timezone=True))


class SQLAlchemy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        config = alembic.config.Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        alembic.command.upgrade(config, "head")
        cls.engine = create_engine("postgresql+psycopg2://", future=True)
        cls.addClassCleanup(cls.engine.dispose)

    def setUp(self):
        self.session = Session(self.engine)
        self.addCleanup(self.session.close)

    def test_models_are_what_the_migration_made(self):
        # Alembic would change no type and no default; tables without a model are not its business.
        options = {
            "compare_type": SQLALCHEMY_2,  # 1.4 takes a column of a domain for one of its base type
            "compare_server_default": True,
            "include_name": lambda name, type, parents: type != "table" or name in Base.metadata.tables,
        }
        context = MigrationContext.configure(self.session.connection(), opts=options)
        self.assertEqual(alembic.autogenerate.compare_metadata(context, Base.metadata), [])

    def test_insert_without_an_id(self):
        booking = Booking(guest="Ada")
        self.session.add(booking)
        self.session.commit()
        self.assertIsInstance(booking.id, uuid.UUID)
        self.assertEqual(booking.id.version, 7)
        made = self.session.scalar(select(timestamptz(Booking.id)).where(Booking.id == booking.id))
        self.assertEqual(booking.id.int >> 80, int(made.timestamp() * 1000))
        self.assertLess(abs(datetime.now(timezone.utc) - made), timedelta(minutes=1))

    def test_many(self):
        bookings = [Booking(guest=guest) for guest in "abc"]
        self.session.add_all(bookings)
        self.session.commit()
        ids = [booking.id for booking in bookings]
        self.assertEqual(ids, sorted(set(ids)))

    def test_time_query(self):
        since = datetime(2026, 2, 1, tzinfo=timezone.utc)
        self.session.add(Event(id=func.gen_uuidv7_at(since - timedelta(milliseconds=1)), what="before"))
        self.session.add(Event(id=func.gen_uuidv7_at(since), what="after"))
        self.session.commit()
        query = select(Event.what).where(Event.id >= timestamptz(since), Event.id < timestamptz(since + timedelta(days=1)))
        self.assertEqual(self.session.scalars(query).all(), ["after"])

    def test_partition_of_a_new_id(self):
        event = Event(what="now")
        self.session.add(event)
        self.session.commit()
        made = datetime.fromtimestamp((event.id.int >> 80) / 1000, timezone.utc)
        partition = select(literal_column("tableoid::regclass::text")).where(Event.id == event.id)
        self.assertEqual(self.session.scalar(partition), made.strftime("events_%Y_%m"))

    def test_iuid(self):
        ride = Ride(fare=12)
        self.session.add(ride)
        self.session.commit()
        self.assertIsInstance(ride.id, uuid.UUID)
        self.assertEqual(self.session.scalar(select(func.iuid_country(Ride.id)).where(Ride.id == ride.id)), 76)
        self.session.add(Ride(id=uuid.uuid4(), fare=1))
        with self.assertRaises(DataError) as caught:
            self.session.commit()
        self.assertEqual(caught.exception.orig.diag.sqlstate, "22P02")

    def test_id_made_by_the_client(self):
        mine = uuid.UUID("019ca6b1-dc00-7000-8000-000000000001")
        self.session.add(Booking(id=mine, guest="Grace"))
        self.session.commit()
        made = self.session.scalar(select(func.uuid_time(mine)))
        self.assertEqual(made, datetime(2026, 3, 1, tzinfo=timezone.utc))


if __name__ == "__main__":
    unittest.main()
