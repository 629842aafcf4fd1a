"""The campaign file: one SQLite file with the journal, and tables that show the campaign it folds
to.

Reading (`reader`) uses plain sqlite3; SQLAlchemy is loaded to write (`file`), and Alembic only to
make a file or to upgrade one.
"""
