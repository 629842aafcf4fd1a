"""What stands in a campaign, all at once; and what its journal alone gives."""

from brt_cg.journal.changes import apply
from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.model.campaign import Campaign
from brt_cg.storage import reader
from brt_cg.storage.cells import RawTable
from brt_cg.storage.place import Place


def read_entries(path: Place) -> list[Entry]:
    """The whole journal. Raises as `reader.stream` does."""
    return list(reader.stream(path))


def folded(journal: Journal) -> Campaign:
    """The campaign that the journal alone gives."""
    campaign = Campaign()
    for entry in journal.entries:
        apply(campaign, entry.changes)
    return campaign


def reopened(journal: Journal) -> Journal:
    """The same journal, as another program would open it."""
    again = Journal(journal.clock)
    again.load(journal.entries)
    return again


def raw_tables(path: Place) -> dict[str, RawTable]:
    """Every table but the journal and Alembic's own, by name."""
    return {name: reader.raw_table(path, name) for name in reader.table_names(path)}
