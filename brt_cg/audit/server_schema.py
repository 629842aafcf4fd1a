"""The schema of a campaign on a server: the tables, constraints and triggers of its revision. The
same server makes the expected schema, so its way of writing definitions does not matter."""

from brt_cg.audit.finding import Finding
from brt_cg.audit.schema import STORAGE, differences
from brt_cg.storage import reader
from brt_cg.storage.definitions import actual, expected, granted
from brt_cg.storage.place import Address


def schema(address: Address, revision: str) -> list[Finding]:
    """Checks that there is every table of a campaign, as its revision makes it, and nothing else;
    and that nobody but the owner, whom the triggers stop, has the right to change the journal."""

    def columns(table: str) -> set[str]:
        return {*reader.raw_table(address, table).columns}

    found, wanted = actual(address), expected(address, revision)
    return [
        *differences(found, wanted, revision, columns),
        *(
            Finding(
                "append-only", STORAGE, f"{role} may {may.lower()} entries of the journal", (role,)
            )
            for role, may in granted(address)
        ),
    ]
