"""Alembic: what autogenerate should leave alone."""

from sqlalchemy import text

OTHERS = text("""
    SELECT nullif(nspname, current_schema()), relname
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relispartition
        OR pg_class.oid IN (SELECT objid FROM pg_depend WHERE classid = 'pg_class'::regclass AND deptype = 'e')""")


def not_of_others(connection):
    """An include_name without partitions, which the server makes, and tables of extensions."""
    others = {tuple(row) for row in connection.execute(OTHERS)}

    def include_name(name, type, parents):
        return type != "table" or (parents["schema_name"], name) not in others

    return include_name
