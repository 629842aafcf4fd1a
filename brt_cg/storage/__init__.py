"""The campaign file: one SQLite file with the journal, and tables that show the resulting campaign.

Reading (`reader`) and writing (`writing`) use the plain driver, and so does creating a file;
SQLAlchemy and Alembic are loaded only to upgrade a file, and for a server. SQLModel declares the
tables (`tables`) that migrations must make.
"""
