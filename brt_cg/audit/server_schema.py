"""The schema of a campaign on a server: whole, with the tables, walls and triggers of its revision
and no others. What is due is made afresh by the same server, so its own way of writing it down
makes no difference."""

from brt_cg.audit.finding import Finding
from brt_cg.audit.schema import STORAGE, damage, differences
from brt_cg.storage import reader
from brt_cg.storage.making import due, granted, made
from brt_cg.storage.place import Address


def integrity(address: Address) -> list[Finding]:
    """The server vouches for what it has stored."""
    return [*damage(reader.integrity, address), *damage(reader.broken_references, address)]


def schema(address: Address, revision: str) -> list[Finding]:
    """Every table of a campaign is there, made as its revision makes it, and nothing else; the
    triggers of the journal too, which nobody but the owner, whom they stop, may try to change."""

    def columns(table: str) -> set[str]:
        return {*reader.raw_table(address, table).columns}

    found, wanted = made(address), due(address, revision)
    return [
        *differences(found, wanted, revision, columns),
        *(
            Finding(
                "append-only", STORAGE, f"{role} may {may.lower()} entries of the journal", (role,)
            )
            for role, may in granted(address)
        ),
    ]
