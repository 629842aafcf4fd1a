"""The campaign file: one SQLite file with the journal, and tables that show the campaign it folds
to.

Reading (`reader`) uses plain sqlite3; writing (`file`) loads SQLAlchemy, at the first write; Alembic
is loaded only to make a file or to upgrade one.
"""
