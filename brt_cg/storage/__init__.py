"""The campaign file: one SQLite file that holds the journal, and tables that show what it folds to.

Reading (`reader`) is plain sqlite3; writing (`file`) loads SQLAlchemy when it first writes; Alembic
is loaded only to make a file or to upgrade one.
"""
