"""Alembic's autogenerate: by default it drops partitions, with the lines of doc/drivers.md nothing."""

import unittest
from pathlib import Path

import sqlalchemy as sa
from alembic.autogenerate import produce_migrations
from alembic.migration import MigrationContext
from alembic.operations import Operations, ops
from sqlalchemy.dialects.postgresql import UUID
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.types import NullType

from iuid import Iuid
from others import not_of_others

metadata = sa.MetaData()
for name, type, made, other in (
    ("bookings", UUID(as_uuid=True), "gen_uuidv7()", sa.Column("guest", sa.Text, nullable=False)),
    ("rides", Iuid, "gen_iuid(76, 1)", sa.Column("fare", sa.Integer, nullable=False)),
    ("events", UUID(as_uuid=True), "gen_uuidv7()", sa.Column("what", sa.Text, nullable=False)),
):
    sa.Table(name, metadata, sa.Column("id", type, primary_key=True, server_default=sa.text(made)), other)


class Alembic(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.engine = sa.create_engine("postgresql+psycopg2://", future=True)
        cls.addClassCleanup(cls.engine.dispose)
        with cls.engine.begin() as connection:
            connection.exec_driver_sql((Path(__file__).parent / "../schema.sql").read_text())
            connection.exec_driver_sql("CREATE TABLE left_over (id int)")
            connection.exec_driver_sql("INSERT INTO bookings (guest) VALUES ('Ada')")
            connection.exec_driver_sql("INSERT INTO rides (fare) VALUES (12)")
            connection.exec_driver_sql("INSERT INTO events VALUES (gen_uuidv7_at('2026-02-01Z'), 'seen')")

    def dropped(self, include_name=None, **options):
        """The tables that a migration drops, and nothing else; rows of models, when it has run, are there."""
        with self.engine.connect() as connection:
            if include_name:
                options["include_name"] = include_name(connection)
            context = MigrationContext.configure(connection, opts={"compare_server_default": True, **options})
            found = produce_migrations(context, metadata).upgrade_ops.ops
            self.assertEqual([op for op in found if not isinstance(op, ops.DropTableOp)], [])
            dropped = {(op.schema, op.table_name) for op in found}
            if dropped == {(None, "left_over")}:
                Operations(context).invoke(found[0])
                rows = [connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() for table in metadata.sorted_tables]
                self.assertEqual(rows, [1, 1, 1])
        return dropped

    def test_by_default_it_drops_partitions(self):
        dropped = self.dropped()
        self.assertIn((None, "events_2026_02"), dropped)
        self.assertEqual({schema for schema, _ in dropped}, {None})

    def test_a_role_that_does_not_own_them_cannot(self):
        with self.engine.connect() as connection:
            connection.exec_driver_sql("CREATE ROLE migrations")
            connection.exec_driver_sql("SET LOCAL ROLE migrations")
            with self.assertRaisesRegex(sa.exc.ProgrammingError, "must be owner of table events_2026_02"):
                Operations(MigrationContext.configure(connection)).drop_table("events_2026_02")

    def test_with_other_schemas_the_registry_too(self):
        self.assertIn(("iuid", "countries"), self.dropped(include_schemas=True))

    def test_partitions_in_a_schema_of_their_own(self):
        move = """DO $$ BEGIN EXECUTE (
            SELECT string_agg(format('ALTER TABLE %s SET SCHEMA {}', relid), ';')
            FROM pg_partition_tree('events')
            WHERE isleaf); END $$"""
        with self.engine.begin() as connection:
            connection.exec_driver_sql("CREATE SCHEMA parts")
            connection.exec_driver_sql(move.replace("%", "%%").format("parts"))
        try:
            self.assertEqual(self.dropped(), {(None, "left_over")})
        finally:
            with self.engine.begin() as connection:
                connection.exec_driver_sql(move.replace("%", "%%").format("public"))

    def test_not_of_others(self):
        for options in ({}, {"include_schemas": True}):
            self.assertEqual(self.dropped(not_of_others, **options), {(None, "left_over")})

    def test_type_of_a_column(self):
        def type_of_rides():
            return sa.inspect(self.engine).get_columns("rides")[0]["type"]

        self.assertIsInstance(type_of_rides(), NullType)
        ischema_names["iuid"] = Iuid
        self.addCleanup(ischema_names.pop, "iuid")
        self.assertIsInstance(type_of_rides(), Iuid)


if __name__ == "__main__":
    unittest.main()
