"""The pieces of HTML of which a plain page is made."""

from collections.abc import Iterator, Mapping
from html import escape

from brt_cg.text import replace_invisible

NOTHING_TYPED: Mapping[str, str] = {}


def safe(text: str) -> str:
    """A text for HTML, without invisible characters."""
    return escape(replace_invisible(text, allowed="\t\n"), quote=True)


def hidden_fields(given: Mapping[str, str]) -> str:
    return "".join(
        f'<input type="hidden" name="{name}" value="{safe(found)}">'
        for name, found in given.items()
    )


def form_start(do: str, **more: str) -> str:
    """The start of a form that asks to `do` something."""
    return f'<form method="post">{hidden_fields({"do": do, **more})}'


def button(do: str, words: str, **more: str) -> str:
    """A form of one button."""
    return f"{form_start(do, **more)}<button>{safe(words)}</button></form>"


def select(
    name: str, label: str, options: Mapping[str, str], given: Mapping[str, str]
) -> Iterator[str]:
    """A list to choose from, with the option that was chosen before."""
    yield f'<label for="{name}">{safe(label)}</label><select id="{name}" name="{name}">'
    for key, words in options.items():
        chosen = " selected" if given.get(name) == key else ""
        yield f'<option value="{safe(key)}"{chosen}>{safe(words)}</option>'
    yield "</select>"


def field(name: str, label: str, value: str = "", more: str = "") -> str:
    """A field of text."""
    return (
        f'<label for="{name}">{safe(label)}</label><input id="{name}" name="{name}"{more} '
        f'value="{safe(value)}" autocomplete="off" autocapitalize="none">'
    )
