from django.contrib.postgres.operations import CreateExtension
from django.db import migrations, models

from ..fields import GenIuid, GenUuidv7, IuidField, ServerUuidField, made_by_server


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
        # Before Django 5, for what else writes into the tables; db_default does this since.
        migrations.RunSQL("ALTER TABLE bookings_booking ALTER id SET DEFAULT gen_uuidv7()", migrations.RunSQL.noop),
        migrations.RunSQL("ALTER TABLE bookings_ride ALTER id SET DEFAULT gen_iuid(76, 1)", migrations.RunSQL.noop),
    ]
