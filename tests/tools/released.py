"""Writes the data of the current version of the rules into the table of those that were given out:
`python -m tests.tools.released`, after a change of `campaigns/` or a new VERSION.

The rows of older versions are never written again: campaigns were played with them.
"""

from typing import Any

from brt_cg.card import available_campaign_games
from brt_cg.card.data_digest import data_digests
from brt_cg.journal.rules_version import FILE, VERSION
from brt_cg.resources import read_toml_cached


def rows() -> dict[str, Any]:
    """The digest of each part now, by CG where they differ."""
    by_cg = {cg: data_digests(cg) for cg in sorted(available_campaign_games())}
    parts = {part: {cg: digests[part] for cg, digests in by_cg.items()} for part in by_cg["I"]}
    return {
        part: next(iter(held.values())) if len({*held.values()}) == 1 else held
        for part, held in parts.items()
    }


def main() -> None:
    """Writes the file anew, with what the newest version has otherwise than those before."""
    older = {
        number: parts for number, parts in read_toml_cached(FILE).items() if number != str(VERSION)
    }
    before = {part: held for parts in older.values() for part, held in parts.items()}
    new = {part: held for part, held in rows().items() if before.get(part) != held}
    table = older | {str(VERSION): new}
    head = FILE.read_text("utf-8").split("\n\n", 1)[0]
    sections = (f"[{number}]\n{_section(parts)}".rstrip() for number, parts in table.items())
    FILE.write_text("\n\n".join([head, *sections]) + "\n", "utf-8")


def _section(parts: dict[str, Any]) -> str:
    return "\n".join(f"{part} = {_value(held)}" for part, held in sorted(parts.items()))


def _value(held: Any) -> str:
    if isinstance(held, str):
        return f'"{held}"'
    if isinstance(held, list):
        return f"[{', '.join(map(_value, held))}]"
    return "{ " + ", ".join(f'{cg} = "{digest}"' for cg, digest in sorted(held.items())) + " }"


if __name__ == "__main__":
    main()
