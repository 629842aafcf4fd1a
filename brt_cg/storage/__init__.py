"""The campaign file: one SQLite file with the journal, and tables that show the campaign it folds
to.

Reading (`reader`) and writing (`writing`) use the plain driver; SQLAlchemy and Alembic are loaded
to make a file or to upgrade one. SQLModel declares the tables (`tables`) that migrations must make.
"""
