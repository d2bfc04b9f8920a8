"""The extension, and tables whose ids the server makes."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import UUID

from iuid import Iuid

revision = "0001"
down_revision = None


def upgrade():
    op.execute("CREATE EXTENSION uidext")
    op.create_table(
        "bookings",
        sa.Column("id", UUID(as_uuid=True), primary_key=True, server_default=sa.func.gen_uuidv7()),
        sa.Column("guest", sa.Text, nullable=False),
    )
    op.create_table(
        "rides",
        sa.Column("id", Iuid, primary_key=True, server_default=sa.text("gen_iuid(76, 1)")),
        sa.Column("fare", sa.Integer, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("id", UUID(as_uuid=True), primary_key=True, server_default=sa.func.gen_uuidv7()),
        sa.Column("what", sa.Text, nullable=False),
        postgresql_partition_by="RANGE (id)",
    )
    op.execute(
        "SELECT uuid_partition_create('events', '2026-01-01 00:00+00', now() + interval '1 month', '1 month')"
    )


def downgrade():
    op.drop_table("events")
    op.drop_table("rides")
    op.drop_table("bookings")
    op.execute("DROP EXTENSION uidext")
