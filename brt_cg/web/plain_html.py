"""The building blocks of a plain page's HTML."""

from collections.abc import Iterator, Mapping
from html import escape

from brt_cg.text import replace_invisible

NOTHING_TYPED: Mapping[str, str] = {}
STYLE = """
:root { color-scheme: light dark; }
body { font: 18px/1.45 system-ui, sans-serif; margin: 0 auto; padding: 0.6em; max-width: 40em; }
h1 { font-size: 1.2em; margin: 0.2em 0; } h2 { font-size: 1.05em; margin: 1.2em 0 0.3em; }
form { margin: 0; } label { display: block; margin: 0.5em 0 0.1em; }
button, input, select, textarea, .link { font: inherit; box-sizing: border-box; width: 100%;
  min-height: 48px; padding: 0.5em 0.7em; margin: 0.25em 0; border-radius: 6px; }
button { text-align: left; overflow-wrap: anywhere; border: 2px solid; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: 0; }
li { overflow-wrap: anywhere; } summary { padding: 0.6em 0; }
.link { display: inline-block; }
[role=alert] { border: 3px solid; padding: 0.6em; white-space: pre-line; }
input[type=checkbox] { width: 1.4em; min-height: 1.4em; vertical-align: middle; }
#news:not(:empty) { position: sticky; top: 0; background: Canvas; border: 3px solid; }
"""


def escape_html(text: str) -> str:
    """Escape text for HTML, and remove invisible characters."""
    return escape(replace_invisible(text, allowed="\t\n"), quote=True)


def hidden_fields(given: Mapping[str, str]) -> str:
    return "".join(
        f'<input type="hidden" name="{name}" value="{escape_html(found)}">'
        for name, found in given.items()
    )


def form_start(do: str, **more: str) -> str:
    """Return the start of a form that asks to `do` something."""
    return f'<form method="post">{hidden_fields({"do": do, **more})}'


def button_form(do: str, words: str, **more: str) -> str:
    """Return a form with one button."""
    return f"{form_start(do, **more)}<button>{escape_html(words)}</button></form>"


def select_field(
    name: str, label: str, options: Mapping[str, str], given: Mapping[str, str]
) -> Iterator[str]:
    """Yield a list to choose from, with the option that was chosen before."""
    yield f'<label for="{name}">{escape_html(label)}</label><select id="{name}" name="{name}">'
    for key, words in options.items():
        chosen = " selected" if given.get(name) == key else ""
        yield f'<option value="{escape_html(key)}"{chosen}>{escape_html(words)}</option>'
    yield "</select>"


def text_field(name: str, label: str, value: str = "", more: str = "") -> str:
    """Return a field of text."""
    return (
        f'<label for="{name}">{escape_html(label)}</label><input id="{name}" name="{name}"{more} '
        f'value="{escape_html(value)}" autocomplete="off" autocapitalize="none">'
    )
