"""Django: a migration with the extension and the DEFAULT, db_default or an expression, a lookup by time."""

import os
import unittest
import uuid
from datetime import datetime, timedelta, timezone
from io import StringIO

import django
from django.conf import settings

settings.configure(
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": os.environ["PGDATABASE"],  # libpq takes the rest from PGHOST, PGUSER, …
            "OPTIONS": {"options": "-c search_path=public,before18"},
        }
    },
    INSTALLED_APPS=["bookings"],
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    USE_TZ=True,
)
django.setup()

from django.core.management import call_command
from django.db import DataError, connection
from django.db.models import DateTimeField, F, Func, IntegerField
from django.db.models.functions import Cast
from django.forms import modelform_factory

from bookings.models import Booking, Ride, Visit


def timestamptz(value):
    """A datetime as a bound parameter, or the time in the id that a field holds."""
    return Cast(value, DateTimeField())


class Django(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        call_command("migrate", verbosity=0)
        cls.addClassCleanup(connection.close)

    def test_models_are_what_the_migration_made(self):
        call_command("makemigrations", "bookings", check=True, dry_run=True, verbosity=0)

    def test_inspectdb(self):
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE logs (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id)")
            cursor.execute("SELECT uuid_partition_create('logs', '2026-01-01', '2026-02-01', '1 month')")
        for options in {}, {"include_partitions": True}:
            found = StringIO()
            call_command("inspectdb", stdout=found, **options)
            self.assertEqual("logs_2026_01" in found.getvalue(), bool(options))
            self.assertRegex(found.getvalue(), r"class BookingsRide\(models.Model\):\n    id = models.TextField.*a guess")
            self.assertNotIn("service_entities", found.getvalue())

    def test_insert_without_an_id(self):
        booking = Booking.objects.create(guest="Ada")
        self.assertIsInstance(booking.id, uuid.UUID)
        self.assertEqual(booking.id.version, 7)
        made = Booking.objects.annotate(made=timestamptz("id")).get(pk=booking.pk).made
        self.assertEqual(booking.id.int >> 80, int(made.timestamp() * 1000))
        self.assertLess(abs(datetime.now(timezone.utc) - made), timedelta(minutes=1))

    def test_form(self):
        form = modelform_factory(Booking, fields="__all__")({"guest": "Ada"})
        self.assertEqual(list(form.fields), ["guest"])
        self.assertTrue(form.is_valid(), form.errors)
        self.assertEqual(form.save().id.version, 7)
        for model in Booking(guest="Ada"), Ride(fare=1):
            model.full_clean()

    def test_insert_beside_django(self):
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO bookings_booking (guest) VALUES (%s) RETURNING id", ["Grace"])
            self.assertEqual(cursor.fetchone()[0].version, 7)

    def test_bulk_create(self):
        Booking.objects.bulk_create(Booking(guest=f"bulk {n}") for n in range(3))
        ids = [booking.id for booking in Booking.objects.filter(guest__startswith="bulk").order_by("guest")]
        self.assertEqual([id.version for id in ids], [7, 7, 7])
        self.assertEqual(ids, sorted(set(ids)))

    def test_code_written_for_18(self):
        ids = [Visit.objects.create(guest=guest).id for guest in "abc"]
        self.assertEqual([id.version for id in ids], [7, 7, 7])
        self.assertEqual(ids, sorted(set(ids)))

    def test_time_query(self):
        since = datetime(2100, 2, 1, tzinfo=timezone.utc)
        for guest, at in ("before", since - timedelta(milliseconds=1)), ("after", since):
            Booking.objects.create(id=Func(at, function="gen_uuidv7_at"), guest=guest)
        self.assertEqual([booking.guest for booking in Booking.objects.filter(id__gte=timestamptz(since))], ["after"])

    def test_iuid(self):
        # Django 3.2 hands over what RETURNING brings as it comes
        ride = Ride.objects.get(pk=Ride.objects.create(fare=12).pk)
        self.assertIsInstance(ride.id, uuid.UUID)
        country = Func(F("id"), function="iuid_country", output_field=IntegerField())
        self.assertEqual(Ride.objects.annotate(country=country).values_list("country").get(pk=ride.pk), (76,))
        with self.assertRaises(DataError) as caught:
            Ride.objects.create(id=uuid.uuid4(), fare=1)
        self.assertEqual(caught.exception.__cause__.diag.sqlstate, "22023")

    def test_id_made_by_the_client(self):
        mine = uuid.UUID("019ca6b1-dc00-7000-8000-000000000001")
        Booking.objects.create(id=mine, guest="Grace")
        made = Booking.objects.annotate(made=timestamptz("id")).get(pk=mine).made
        self.assertEqual(made, datetime(2026, 3, 1, tzinfo=timezone.utc))


if __name__ == "__main__":
    unittest.main()
