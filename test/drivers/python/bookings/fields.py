import django
from django.db.models import Func, UUIDField


class GenUuidv7(Func):
    function = "gen_uuidv7"
    arity = 0
    output_field = UUIDField()


class Uuidv7(Func):
    """PostgreSQL 18's, and before what doc/uuidv7-before-18.md shows."""

    function = "uuidv7"
    arity = 0
    output_field = UUIDField()


class GenIuid(Func):
    function = "gen_iuid"
    template = "%(function)s(76, 1)"
    arity = 0
    output_field = UUIDField()


class ServerUuidField(UUIDField):
    """A uuid that the server makes; RETURNING brings it, as Django 5 does by itself."""

    db_returning = True

    def to_python(self, value):
        # full_clean() comes with the expression
        return value if hasattr(value, "resolve_expression") else super().to_python(value)


class IuidField(ServerUuidField):
    """A column of type iuid."""

    def db_type(self, connection):
        return "iuid"

    def from_db_value(self, value, expression, connection):
        return self.to_python(value)


def made_by_server(expression):
    """The column's DEFAULT, of which no form asks; Django before 5 knows none and puts the expression into each INSERT."""
    if django.VERSION >= (5,):
        return {"primary_key": True, "editable": False, "db_default": expression()}
    return {"primary_key": True, "editable": False, "default": expression}
