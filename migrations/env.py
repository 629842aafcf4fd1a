"""Runs the revisions on the connection that the program hands over
(`brt_cg.storage.migration_transaction`)."""

from alembic import context

from brt_cg.storage.tables import metadata

connection = context.config.attributes.get("connection")
if connection is None:
    raise RuntimeError("the program runs its own migrations: use brt_cg.storage.migrating")

# Batches, since SQLite cannot alter a column in place; the program began the transaction, so that a
# revision happens as a whole or not at all.
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
context.run_migrations()
