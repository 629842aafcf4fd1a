"""No command or page is written without its guards: what needs one is called in one place only, and
a call anywhere else is found here."""

import ast
import inspect
from functools import partial
from textwrap import dedent

import pytest

from brt_cg.web.seats import SeatServer
from brt_cg.web.server import DOORS
from tests.test_house import PACKAGE, tree

# A call, in a part of the program; and the functions that may make it, each with its guard.
GUARDED = {
    # A campaign in which a command enters something is compared with what its seat last saw of it.
    ("cli", "OpenCampaign.open"): {
        "cli/console.py open_without_seen_check",
        "cli/servers.py _plain",  # lists the campaigns of a server
    },
    ("cli", "open_without_seen_check"): {
        "cli/console.py open_for_command",
        "cli/status.py status",  # compares it itself
    },
    # A form is read only where a token of its page is used up, and so is entered only once.
    ("web", "request.post"): {"web/files.py read_form"},
    ("web", "read_form"): {"web/seats.py submit_plain_form"},
    # Foreign files are read by a limit of bytes, and of work where they lead from one to another.
    ("", "ZipFile"): {
        "exports/writers/as_xlsx.py workbook_bytes",
        "imports/state_file.py _sheets",
        "imports/state_file.py format_of",
        "tui/forms/delivery.py _packed",
        "vasl/module.py read_module",
        "vasl/savefile.py as_zip",
        "vasl/savefile.py read_save",
    },
    ("", "zlib.decompressobj"): {"service/mail_file.py _unpacked"},
    ("", "load_workbook"): {"imports/state_file.py _sheets"},
    ("", "gzip.decompress"): set(),
    ("", "gzip.open"): set(),
    ("", "zlib.decompress"): set(),
    ("", "extractall"): set(),
    # What this machine remembers is named by the campaign's first entry, and by a place only
    # together with the canonical spelling of its path.
    ("", "canonical_place"): {
        "cli/last_question.py _file",
        "service/campaign_reader.py name_in_local_memory",
        "service/seen_places.py seen_heads_file",
        "service/seen_places.py last_seen_campaign_file",
        "service/tick_sheet.py _as_kept_before",
        "tui/session/last_seen.py _look",
        "tui/session/last_seen.py list_at_home",
    },
}


def callers(part: str, called: str) -> set[str]:
    """The functions of a part of the program that call something, by module and name."""
    return {
        f"{path.relative_to(PACKAGE).as_posix()} {function.name}"
        for path in (PACKAGE / part).rglob("*.py")
        if called.rpartition(".")[2] in path.read_text("utf-8")
        for function in ast.walk(tree(path))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        and any(map(partial(_is_call, called), ast.walk(function)))
    }


def _is_call(called: str, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and f".{ast.unparse(node.func)}".endswith(f".{called}")


@pytest.mark.parametrize(("part", "called"), GUARDED, ids=lambda each: each or "anywhere")
def test_guarded_functions_are_called_only_behind_their_guard(part: str, called: str) -> None:
    assert callers(part, called) == GUARDED[part, called]


@pytest.mark.parametrize(
    ("path", "door"), [each[1:] for each in DOORS], ids=lambda each: getattr(each, "__name__", "")
)
def test_a_page_opens_only_with_the_cookie_of_its_seat_or_of_friends(
    path: str, door: object
) -> None:
    """But the address of a seat, which gives that cookie."""
    source = dedent(inspect.getsource(door))  # type: ignore[arg-type]
    asks_whose = "self._seat_of(" in source or "self.plain(" in source
    is_friend = "self._admit_friend(" in source
    assert asks_whose is path.startswith("/seat/")
    assert is_friend is path.startswith("/friends/")
    assert asks_whose or is_friend or door is SeatServer.sign_in
