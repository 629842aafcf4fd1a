"""The modules of the screen import one another one way, without a circle."""

import ast
from pathlib import Path

from brt_cg import tui

ROOT = Path(tui.__file__).parent


def imports_of(path: Path) -> set[str]:
    """The modules that a module imports, wherever in it, for its types too."""
    tree = ast.walk(ast.parse(path.read_text("utf-8")))
    return {str(node.module) for node in tree if isinstance(node, ast.ImportFrom)}


def test_screen_modules_have_no_import_cycles() -> None:
    named = {
        ".".join(("brt_cg", "tui", *path.relative_to(ROOT).with_suffix("").parts)): path
        for path in ROOT.rglob("*.py")
    }
    leads = {name: imports_of(path) & named.keys() for name, path in named.items()}

    def reached(name: str) -> set[str]:
        found, ahead = set[str](), [name]
        while ahead:
            new = leads[ahead.pop()] - found
            found |= new
            ahead += new
        return found

    assert [name for name in named if name in reached(name)] == []
