"""Type iuid as a column type of SQLAlchemy: uuid.UUID in Python, iuid in CREATE TABLE."""

from sqlalchemy.dialects.postgresql import UUID
from sqlalchemy.ext.compiler import compiles


class Iuid(UUID):
    inherit_cache = True


@compiles(Iuid)
def ddl(type, compiler, **options):
    return "iuid"
