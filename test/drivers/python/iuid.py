"""Type iuid as a column type of SQLAlchemy: uuid.UUID in Python, iuid in CREATE TABLE."""

from uuid import UUID

from sqlalchemy.types import UserDefinedType


class Iuid(UserDefinedType):
    cache_ok = True

    def get_col_spec(self, **options):
        return "iuid"

    def bind_processor(self, dialect):
        return lambda value: None if value is None else str(value)

    def result_processor(self, dialect, column_type):
        return lambda value: None if value is None else UUID(str(value))
