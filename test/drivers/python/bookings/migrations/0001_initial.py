from pathlib import Path

from django.contrib.postgres.operations import CreateExtension
from django.db import migrations, models

from ..fields import GenIuid, GenUuidv7, IuidField, ServerUuidField, Uuidv7, made_by_server


class Migration(migrations.Migration):
    initial = True
    operations = [
        CreateExtension("uidext"),
        migrations.CreateModel(
            "Booking",
            [("id", ServerUuidField(serialize=False, **made_by_server(GenUuidv7))), ("guest", models.TextField())],
        ),
        migrations.CreateModel(
            "Ride",
            [("id", IuidField(serialize=False, **made_by_server(GenIuid))), ("fare", models.IntegerField())],
        ),
        migrations.RunSQL((Path(__file__).parents[3] / "uuidv7_before_18.sql").read_text(), migrations.RunSQL.noop),
        migrations.CreateModel(
            "Visit",
            [("id", ServerUuidField(serialize=False, **made_by_server(Uuidv7))), ("guest", models.TextField())],
        ),
        # Before Django 5, for what else writes into the tables; db_default does this since.
        migrations.RunSQL("ALTER TABLE bookings_booking ALTER id SET DEFAULT gen_uuidv7()", migrations.RunSQL.noop),
        migrations.RunSQL("ALTER TABLE bookings_ride ALTER id SET DEFAULT gen_iuid(76, 1)", migrations.RunSQL.noop),
    ]
