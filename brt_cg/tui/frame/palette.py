"""The palette, which finds the actions by name; and the list of rooms."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from textual.binding import ActiveBinding
from textual.content import Content
from textual.fuzzy import Matcher
from textual.screen import Screen
from textual.widgets import Input, OptionList

from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply
from brt_cg.tui.dialogs.pick import FindDialog
from brt_cg.tui.keys.actions import (
    BY_ID,
    EVERYWHERE,
    PARTS,
    ROOMS,
    Action,
    place_name,
    reachable_actions,
)
from brt_cg.tui.look.columns import columns
from brt_cg.tui.session.campaign_app import CampaignApp

SMALL_WORDS = frozenset(
    (
        "a",
        "an",
        "and",
        "do",
        "does",
        "for",
        "how",
        "i",
        "in",
        "is",
        "it",
        "my",
        "of",
        "the",
        "to",
        "was",
        "we",
        "what",
    )
)
BESIDE = 0.6  # the score of words beside a name, as a share of a name's


class PaletteScreen(FindDialog[Action]):
    """The dialog that returns the action chosen from all that are possible on the screen below."""

    FOLLOWS = True
    PLACEHOLDER = "Search: an action, or any word for it"
    KEYS = "{lists.cursor_up}{lists.cursor_down} {lists.select} runs it · {dialogs.close} cancels"
    _shown: Sequence[Action] = ()

    def __init__(self, possible: Sequence[Action]) -> None:
        super().__init__("Palette")
        self.possible = possible

    def matching_rows(self, words: str) -> Iterator[Content]:
        matcher = Matcher(words)
        self._shown = find_actions(self.app, self.possible, words)
        for action in self._shown:
            title = _title(self.app, action)
            named = matcher.highlight(title) if words.strip() else Content(title)
            yield Content.assemble(named.stylize_before("bold"), ("\n" + action.help, "dim"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if self.listed.highlighted is not None:
            _ = self.dismiss(self._shown[self.listed.highlighted])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        _ = self.dismiss(self._shown[event.option_index])


def possible_actions(app: CampaignApp, screen: Screen[object]) -> list[Action]:
    """Return the actions that are possible on a screen, with those of the list, map or field there
    that has the focus."""
    named = (
        action
        for action in reachable_actions(getattr(screen, "PLACE", ""))
        if app.check_action(action.name, ()) and screen.check_action(action.name, ())
    )
    return [*named, *(BY_ID[id] for id in _of_parts(screen))]


def find_actions(app: CampaignApp, actions: Sequence[Action], words: str) -> list[Action]:
    """Return the actions that match words, the best first; else those in which a word begins with
    one of the words; else, or without words, all: recently used ones first, then the next step,
    then those of this place. An action that loses something is never first, because Enter runs the
    first one immediately."""
    scores = dict.fromkeys((action.id for action in actions), 0.0)
    if words.strip():
        matcher = Matcher(words)
        scores = {each.id: _score(matcher, _title(app, each), each) for each in actions}
        if not any(scores.values()):
            single = {*re.findall("[a-z]+", words.lower())} - SMALL_WORDS
            scores = {action.id: _score_of_words(single, action) for action in actions}
    if any(scores.values()):
        fit = [action for action in actions if scores[action.id]]
        return sorted(fit, key=lambda action: scores[action.id], reverse=True)
    every = [action for action in actions if not action.moves] or actions
    return sorted(every, key=partial(_place_of, app))


def _place_of(app: CampaignApp, action: Action) -> tuple[bool | int, ...]:
    """Return the position of an action in the palette before anything is typed."""
    used, seen = app.memory.used, app.session.seen
    step = seen.next_step.action if seen is not None else None
    last = used.index(action.id) if action.id in used else len(used)
    is_next = action.id == f"{EVERYWHERE}.{step}"
    return (
        action.loses,
        last,
        not is_next,
        action.place == EVERYWHERE,
        action.key_bar_rank,
        action.quiet,
    )


def _score(matcher: Matcher, title: str, action: Action) -> float:
    beside = max(matcher.match(action.help), matcher.match(action.also))
    score = max(matcher.match(title), beside * BESIDE)
    if title.lower().startswith(matcher.query.lower()):
        return score * 2  # certainly meant, whatever the action does
    return score / 2 if action.loses or action.moves else score


def _score_of_words(words: Iterable[str], action: Action) -> float:
    """Return the number of words that begin a word of an action; twice as much in its name."""
    score = sum(
        weight * any(known.startswith(word) for known in re.findall("[a-z]+", text.lower()))
        for word in words
        for text, weight in ((action.label, 2), (f"{action.help} {action.also}", 1))
    )
    return score / 2 if action.loses or action.moves else score


async def choose_and_run_action(app: CampaignApp) -> None:
    """Ask for an action, and do it. Must run in a worker."""
    screen = app.screen
    parts = _of_parts(screen)  # before the dialog has the focus
    action = await app.push_screen_wait(PaletteScreen(possible_actions(app, screen)))
    if action is None:
        return
    if not (action.answers or action.loses or action.name == "quit"):
        app.memory.note_used(action.id)  # Enter alone repeats the last one
    if action.id in parts:
        await app.run_action(parts[action.id].binding.action, parts[action.id].node)
    else:
        await (app if action.place == EVERYWHERE else screen).run_action(action.runs)


async def choose_and_open_room(app: CampaignApp) -> None:
    """List the rooms, each with its key, and go to the one chosen. Must run in a worker."""
    ways = (BY_ID.get(f"{EVERYWHERE}.{room}") for room in ROOMS)
    names = columns(12)
    replies = [
        Reply(
            way.name,
            app.keys_of(way)[0],
            names.row(place_name(way.name), (_brief(way), "dim")),
            names.width,
        )
        for way in ways
        if way is not None and app.keys_of(way) and app.check_action(way.name, ())
    ]
    chosen = await app.push_screen_wait(ChoiceScreen("Rooms", "", replies))
    if chosen is not None:
        await app.run_action(chosen.value)


def _brief(way: Action) -> str:
    """Return the purpose of a room, in a few words."""
    return re.split(r"[;:.]", way.help)[0]


def _of_parts(screen: Screen[object]) -> dict[str, ActiveBinding]:
    """Return the actions possible in the list, map or field that has the focus, by id."""
    found: dict[str, ActiveBinding] = {}
    for active in screen.active_bindings.values():
        id = active.binding.id or ""
        if active.enabled and id in BY_ID and BY_ID[id].place in PARTS:
            found.setdefault(id, active)
    return found


def _title(app: CampaignApp, action: Action) -> str:
    key = app.key_text(action.id)
    return f"{action.label} ({key})" if key else action.label
