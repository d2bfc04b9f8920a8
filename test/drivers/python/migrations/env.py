from alembic import context
from sqlalchemy import create_engine

engine = create_engine("postgresql+psycopg2://")  # PGHOST, PGDATABASE, … say where

with engine.connect() as connection:
    context.configure(connection=connection)
    with context.begin_transaction():
        context.run_migrations()
