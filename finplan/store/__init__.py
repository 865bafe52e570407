"""The only room that knows SQL: tables, migrations, and one query file per family."""
