"""Pairs of campaign files, made by playing, at every stop of a campaign.

The two of a pair are alike but for the secrets of the enemy of who reads them, who has also entered
more of these in one than in the other: purchases, drafts, notes, answers ahead, corrections of
what hides, what he took back. What both know was entered at the same times, a secret was not.
"""

import itertools
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from brt_cg.commands.state_document import build_state_document
from brt_cg.forecast.upcoming_questions import EarlyAnswerSheet
from brt_cg.forecast.upcoming_questions import enter_early_answers as answer_ahead
from brt_cg.model.counter_numbers import OF_HIDDEN
from brt_cg.model.counters import Side
from brt_cg.model.records import BETWEEN, Phase
from brt_cg.model.seat import Seat
from brt_cg.model.visibility import secret_of
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.question_types import Question
from brt_cg.service import open_campaign
from brt_cg.service.mail import write_mail_file
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.exports.journals import JAPANESE, MARINE, plain_answer, squad, state
from tests.secrets.pairs import HIDDEN, POINTS, SEEN

CAMPAIGN, THEIRS = "c.brt", "theirs.brtmail"
IN_THE_MIDDLE = ("15.602", "15.605", "15.614", "15.616", "15.6201", "15.6202")
GHOST = squad("j-sq-77", "L38", status=["hidden"], name="Ghost")  # in one of the two only
LOST = "lost while hidden"  # of the next scenario the keeper has entered his report
REVEALED = "revealed"  # a tunnel and its pillbox were found; another pillbox still hides
KEY = "0123456789abcdef" * 2  # the random value that `new` records
TIMES = ("2026-01-01T12:00:00Z", "2026-01-01T12:34:56Z")  # of all; of the secrets of one
STOPS = (
    *("new", "purchases", "own half", "their half", "last date", "end", *IN_THE_MIDDLE, "scenario"),
    LOST,
    REVEALED,
)
AT_SEA = squad("m-sq-8", "S22")
LAST = "22 PM"
FOUND = ("j-pb-9", "j-tun-1")


def ids_of_pillboxes(number: int) -> Iterator[str]:
    """Ids to which a campaign without a key gives a number of what hides."""
    named = (f"j-pb-{each}" for each in itertools.count(10))
    return (id for id in named if (crc32(id.encode()) - number) % OF_HIDDEN == 0)


HIDDEN_PILLBOXES = tuple(
    next(ids_of_pillboxes(crc32(FOUND[1].encode()) + further)) for further in (300, 0)
)
OTHERS = ("weapons", "vehicles", "fortifications", "terrain")


Files = dict[str, bytes]  # of a folder, by their paths in it


class Twin:
    """One of a pair, open: the `number`-th, whose `reader` is not to know which it is."""

    def __init__(self, folder: Path, number: int, reader: Side) -> None:
        self.folder, self.number, self.reader = folder, number, reader
        self.keeper = reader.enemy
        self.time, self.is_shown = TIMES[0], False
        path = folder / CAMPAIGN
        if path.exists():
            self.desk = OpenCampaign.open(path, lambda: self.time)
        else:
            with pytest.MonkeyPatch.context() as patch:  # in other tests there is no key
                patch.setattr(open_campaign, "random_key", lambda: KEY)
                self.desk = OpenCampaign.create(path, self._new(), lambda: self.time)
            self._somebody_waits()

    def _new(self) -> dict[str, Any]:
        points = json.loads(json.dumps(POINTS))
        points["japanese"]["red_one"]["gpp"] += self._of_japanese
        return {"cg": "III", "name": None, "players": None, "allotments": points}

    def _somebody_waits(self) -> None:
        """Somebody of each side to set up: so both are asked at 15.6202, whatever they buy."""
        waiting = [squad(f"{letter}-sq-0", "") | {"location": None} for letter in "mj"]
        document = {"format": "brt-cg/state", "version": 1, "units": waiting}
        self.enter("reinforce", None, state=document, source="oob.json")

    @property
    def _of_japanese(self) -> int:
        """Which of the two the secrets of the Japanese are those of."""
        return self.number if self.keeper is JAPANESE else 0

    # --- what both do ---------------------------------------------------------------------------

    def enter(self, kind: str, by: Side | None, **asked: Any) -> None:
        self.desk.set_seat(Seat.from_name(by))
        self.desk.run_command(kind, asked, by or "players")
        self.desk.set_seat(None)

    def reminds(self, side: Side, words: str) -> None:
        """Writes a secret note that is due on the CG Date."""
        date = unrestricted_campaign(self.desk).campaign.situation.date
        self.enter("note", side, words=words, side=side, about=None, date=date)

    def buy(self, side: Side, item: str = "foxhole_1s", **asked: Any) -> None:
        beach = {"beach": "red_one"} if side is JAPANESE else {}
        self.enter("buy", side, item=item, side=side, **beach, **asked)

    def purchases(self) -> None:
        """Both buy: one of the Japanese something else, one of the Marines for other places."""
        self.buy(JAPANESE, ("hmg", "foxhole_2s")[self._of_japanese])
        if self.number:
            self.reminds(self.keeper, "Ghost buys")
        differs = self.number and self.keeper is MARINE and not self.is_shown
        for place in (None, "N19") if differs else ("N19", None):
            self.buy(MARINE, location=place)

    def ends(
        self,
        side: Side | None = None,
        date: str = "20 PM",
        also: Sequence[dict[str, Any]] = (),
    ) -> None:
        """A scenario; one `side` enters its half. There are `also` these Fortifications."""
        hidden = HIDDEN[self._of_japanese]
        units = [*SEEN, AT_SEA, *hidden["units"]]
        if self._of_japanese:
            units.append(GHOST)
        others = {name: [*hidden[name]] for name in OTHERS}
        others["fortifications"] += also
        document = state(*units, date=date, **others)
        lists = ("units", "weapons", "vehicles", "fortifications")
        if side is not None:
            for name in lists:
                own = [one for one in document.get(name, []) if one["side"] == side]
                document[name] = [one for one in own if "guard" not in one]
        self.enter("import", side, state=document, source="s.json", missing="keep", side=side)

    def reveals(self) -> None:
        """A tunnel and the pillbox at its entrance are found, while another pillbox still hides:
        one to whose id older campaigns gave the number that the tunnel has, or one to whose not."""
        other = HIDDEN_PILLBOXES[self._of_japanese]
        tunnel = {"type": "tunnel", "location": f"K40:{FOUND[0]}", "exit": "K41"}
        rows = (
            {"id": FOUND[0], "type": "pillbox", "location": "K40"},
            {"id": other, "type": "pillbox", "location": "L38"},
            {"id": FOUND[1]} | tunnel,
        )
        forts = [row | {"side": "japanese", "hidden": True} for row in rows]
        self.ends(also=forts)
        for id in FOUND:
            self.enter("edit", JAPANESE, id=id, set={"hidden": False}, reason="it was found")
        self.is_asked("15.6202")

    def ends_the_campaign(self) -> None:
        self.ends(date=LAST)
        self.is_asked("over")
        assert unrestricted_campaign(self.desk).campaign.situation.phase is Phase.OVER

    def ends_the_phase(self) -> None:
        """Shows all that both have set up."""
        self.is_shown = True
        self.is_asked("over")
        assert unrestricted_campaign(self.desk).campaign.situation.phase is Phase.SCENARIO

    def loses_in_secret(self) -> None:
        """Ends the phase; of the next scenario's end the keeper enters his report, by which
        somebody hidden is lost in one of the two."""
        self.ends_the_phase()
        campaign = unrestricted_campaign(self.desk).campaign
        document = build_state_document(campaign, self.keeper)
        hidden = (
            unit.id
            for unit in campaign.free_units_in_play_of(JAPANESE)
            if secret_of(campaign, unit) is JAPANESE and not campaign.prisoners_of(unit)
        )
        lost = [*hidden][: self._of_japanese]
        assert len(lost) == self._of_japanese
        for row in document["units"]:
            row["fate"] = "eliminated" if row["id"] in lost else row["fate"]
        for row in document["weapons"]:
            row["possessor"] = None if row["possessor"] in lost else row["possessor"]
        for totals in document["sides"].values():
            totals |= {"cvp": None, "cvp_before": None}
        asked = {"state": document, "source": "s.json", "missing": None, "side": self.keeper}
        self.enter("import", self.keeper, **asked)

    def at_a_stop(self) -> Files:
        """All that is in the folder, once secrets are the newest; a mail goes on from there."""
        self.whispers()
        self.desk.close()
        at_home = files_in(self.folder)
        self.enter("note", None, words="From him", side=None, about=None)
        if self.number:
            self.reminds(self.keeper, "Ghost")
        write_mail_file(self.desk, self.folder / THEIRS, Seat.from_name(self.keeper), begins=True)
        self.desk.close()
        return at_home | {THEIRS: (self.folder / THEIRS).read_bytes()}

    # --- what the keeper does secretly ----------------------------------------------------------

    def whispers(self) -> None:
        """What the reader has done stands; then one of the two enters secrets, the newest of which
        is taken back."""
        with suppress(RefusedError):
            self.buy(self.reader)
        ask = unrestricted_campaign(self.desk).open_question()
        if ask is None or ask.secret is not self.reader:  # else both would know how far it went
            self.enter("note", None, words="Both read this", side=None, about=None)
        self.reminds(self.reader, "Mine")
        if not self.number:
            return
        self.time = TIMES[1]
        self.reminds(self.keeper, "Ghost writes")
        for draft in (True, False)[: 1 + (self.keeper is JAPANESE)]:
            self._tries(self.buy, self.keeper, "foxhole_3s", draft=draft)
        if self.keeper is JAPANESE and "j-sq-1" in unrestricted_campaign(self.desk).campaign.units:
            asked: dict[str, Any] = {"id": "j-sq-1", "set": {"name": "Sado"}, "reason": "his name"}
            self._tries(self.enter, "edit", self.keeper, **asked)
        self._tries(self._answers_ahead)
        self.reminds(self.keeper, "Ghost errs")
        self.desk.set_seat(Seat.from_name(self.keeper))
        self._tries(self.desk.undo_or_request)
        self.desk.set_seat(None)
        self.time = TIMES[0]

    def _answers_ahead(self) -> None:
        self.desk.set_seat(Seat.from_name(self.keeper))
        asks = EarlyAnswerSheet(self.desk, self.keeper).asks
        ask = unrestricted_campaign(self.desk).open_question()
        far = [
            each
            for each in asks
            if each.key[0] in ("15.616", "15.6202") and (ask is None or each.key[0] != ask.rule)
        ]
        answer_ahead(self.desk, self.keeper, {each.key: each.ask.default for each in far})
        answer_ahead(self.desk, self.keeper, {})  # else the phase would go on where it waits

    def _tries(self, does: Callable[..., object], *given: Any, **asked: Any) -> None:
        with suppress(RefusedError):
            does(*given, **asked)

    # --- a Refit Phase --------------------------------------------------------------------------

    def is_asked(self, rule: str) -> bool:
        """Plays on to a question of this rule, if there is one. One of the two is asked the second
        of those that only the keeper knows of."""
        while (ask := self._asked()) is not None and ask.rule != rule:
            self._answer(ask)
        if ask is not None and self.number and rule == "15.602" and self.keeper is JAPANESE:
            self._answer(ask)
            self._asked()
        return ask is not None

    def _asked(self) -> Question[Any] | None:
        return (
            None
            if unrestricted_campaign(self.desk).campaign.situation.phase in BETWEEN
            else self.desk.play_to_question()
        )

    def _answer(self, ask: Question[Any]) -> None:
        """The same in both, but for a decision and a setup of the keeper's, unless all is shown."""
        raw = plain_answer(ask)
        if ask.secret is self.keeper and self.number and not self.is_shown:
            if ask.rule == "15.616":
                raw = True
            elif ask.rule == "15.6202":
                raw = {"m-sq-8": "N19"} if self.keeper is MARINE else {"j-sq-9": "L38"}
                with suppress(RefusedError):
                    ask.read(raw)
        self.desk.answer(raw, ask.side)


def made(folder: Path, number: int, reader: Side) -> dict[str, Files]:
    """One of a pair at every stop: the campaign with what is beside it, and a mail of the enemy's
    that goes on from it."""
    found: dict[str, Files] = {}
    twin = Twin(folder / "played", number, reader)

    def stops(name: str, then: Callable[[Twin], object] = lambda twin: None) -> None:
        """The campaign as it is now, played on by itself in another folder."""
        beside = folder / name
        twin.desk.close()
        shutil.copytree(twin.folder, beside)
        other = Twin(beside, number, reader)
        then(other)
        found[name] = other.at_a_stop()

    stops("new")
    stops(REVEALED, Twin.reveals)  # before any purchase: hidden counters take their numbers in turn
    stops("purchases", Twin.purchases)
    twin.is_shown = True  # what is bought is, at the end of the scenario
    twin.purchases()
    twin.is_shown = False
    stops("own half", lambda other: other.ends(reader))
    stops("their half", lambda other: other.ends(other.keeper))
    stops("last date", Twin.ends_the_campaign)
    twin.ends()
    stops("end")
    for rule in IN_THE_MIDDLE:
        assert twin.is_asked(rule), f"{rule} is not asked"
        stops(rule)
        if rule == "15.614":
            stops("scenario", Twin.ends_the_phase)
            stops(LOST, Twin.loses_in_secret)
            twin.purchases()
    twin.desk.close()
    return found


def files_in(folder: Path) -> Files:
    """All files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
