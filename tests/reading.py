"""What stands in a campaign, all at once."""

from brt_cg.journal.entries import Entry
from brt_cg.storage import reader
from brt_cg.storage.cells import RawTable
from brt_cg.storage.place import Place


def read_entries(path: Place) -> list[Entry]:
    """The whole journal. Raises as `reader.stream` does."""
    return list(reader.stream(path))


def raw_tables(path: Place) -> dict[str, RawTable]:
    """Every table but the journal and Alembic's own, by name."""
    return {name: reader.raw_table(path, name) for name in reader.table_names(path)}
