"""The schema of a campaign on a server: whole, with the tables, walls and triggers of its revision
and no others. What is due is made afresh by the same server, so its own way of writing it down
makes no difference."""

from collections.abc import Iterable

from brt_cg.audit.finding import Finding
from brt_cg.audit.schema import STORAGE, damage, tables_of, unknown_columns
from brt_cg.storage import reader
from brt_cg.storage.making import due, granted, made
from brt_cg.storage.place import Address

REFUSING = ("trigger", "function")  # what keeps the journal as it is


def integrity(address: Address) -> list[Finding]:
    """The server vouches for what it has stored."""
    return [*damage(reader.integrity, address), *damage(reader.broken_references, address)]


def schema(address: Address, revision: str) -> list[Finding]:
    """Every table of a campaign is there, made as its revision makes it, and nothing else; the
    triggers of the journal too."""
    found, wanted = made(address), due(address, revision)
    findings: list[Finding] = []
    for kind, name in sorted(found.keys() | wanted.keys()):
        if (kind, name) not in wanted:
            findings.append(_finding(kind, name, f"the {kind} {name} is unknown"))
        elif (kind, name) not in found:
            gone = "gone" if kind in REFUSING else "missing"
            findings.append(_finding(kind, name, f"the {kind} {name} is {gone}"))
        elif found[kind, name] != wanted[kind, name]:
            findings += _differs(address, kind, name, revision)
    return findings


def _finding(kind: str, name: str, what: str) -> Finding:
    code = "append-only" if kind in REFUSING and "unknown" not in what else "schema"
    return Finding(code, STORAGE, what, (name,))


def _differs(address: Address, kind: str, name: str, revision: str) -> Iterable[Finding]:
    if kind in REFUSING:
        return [_finding(kind, name, f"the {kind} {name} does something else than it should")]
    columns: list[Finding] = []
    if name in tables_of(revision):
        columns = list(unknown_columns(name, {*reader.raw_table(address, name).columns}, revision))
    what = f"the types or constraints of {name} are not those of revision {revision}"
    return columns or [_finding(kind, name, what)]


def append_only(address: Address, revision: str) -> list[Finding]:
    """Nobody but the owner of the campaign, whom the triggers stop, may try to change its
    journal."""
    return [
        Finding("append-only", STORAGE, f"{role} may {may.lower()} entries of the journal", (role,))
        for role, may in granted(address)
    ]
