"""A small campaign, played through a whole Refit Phase: something of everything in its file."""

from pathlib import Path
from typing import Any

from brt_cg.questions.dice import SeededDice
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.exports.journals import NOON, squad, state

# The CG Date of the scenario that ends, and the next, with a grant.
DATES = {"I": ("21 PM", "21 NT"), "II": ("21 PM", "21 NT"), "III": ("20 PM", "20 NT")}
ALLOTMENTS: dict[str, Any] = {
    "japanese": {
        "red_one": {"gpp": 24, "capp": "26^2", "fpp": 60},
        "red_two": {"gpp": 10},
        "island": {"fpp": 40},
    },
    "marine": {"fpp": 30},
}


def half(id: str, location: str, **fields: Any) -> dict[str, Any]:
    digits = {"type": "3-4-8"} if id.startswith("m") else {"class": "first_line"}
    return squad(id, location) | {"kind": "half_squad"} | digits | fields


UNITS = (
    squad("m-sq-1", "N19", status=["pinned"], name="Able"),
    half("m-hs-1", "N20"),
    half("m-hs-2", "N20"),
    squad("m-ldr-1", "N19", status=["wounded"], traits=["heroic"]),
    {"id": "m-hero-1", "side": "marine", "kind": "hero", "type": "1-4-9", "location": "N20"},
    squad("m-sq-2", "off_map"),
    squad("j-sq-1", "M40", status=["hidden"]),
    squad("j-sq-2", "M41", status=["prisoner"], guard="m-sq-1") | {"location": "N19"},
    squad("j-sq-3", "M42", status=["ti"], strength="reduced"),
    squad("j-ldr-1", "M42", status=["wounded"]),
)
WEAPONS = (
    {"id": "m-mg-1", "side": "marine", "kind": "sw", "type": "HMG", "location": "N19"}
    | {"possessor": "m-sq-1", "status": ["malfunctioned"], "repair_number": 3, "pp": 5},
    {"id": "j-gun-1", "side": "japanese", "kind": "gun", "type": "37L AT", "location": "M42"}
    | {"possessor": "j-sq-3", "depleted": ["AP"]},
)
VEHICLES = (
    {"id": "m-tank-1", "side": "marine", "type": "M4A2", "location": "N21", "cvp": 6}
    | {"status": ["stunned"], "best_af": 8, "crew_survival": 5, "armor_leader": "9-1"},
)
FORTIFICATIONS = (
    {"id": "j-pb-1", "side": "japanese", "type": "pillbox", "location": "M43", "hidden": True}
    | {"capacity": 1, "ca_tem": 3, "nca_tem": 5, "covered_arc": ["L42", "L43"]},
)
TERRAIN = (
    {"id": "t-1", "location": "N18", "kind": "building", "material": "wood", "fire": "flame"},
)


def document(date: str = "20 PM", **fields: Any) -> dict[str, Any]:
    """The state at the end of the scenario."""
    everything = {
        "weapons": list(WEAPONS),
        "vehicles": list(VEHICLES),
        "fortifications": list(FORTIFICATIONS),
        "terrain": list(TERRAIN),
    }
    return state(*UNITS, date=date, **everything | fields)


def imported(state: dict[str, Any]) -> dict[str, Any]:
    return {"state": state, "source": "state.json", "missing": "keep", "side": None}


def order(item: str, side: str = "japanese", **asked: Any) -> dict[str, Any]:
    beach = {"beach": "red_one"} if side == "japanese" else {}
    return {"item": item, "side": side, "quantity": 1} | beach | asked


def play_all(desk: OpenCampaign, cg: str) -> None:
    """Everything that players do, from the first purchase to the start of the next scenario."""
    does = desk.run_command
    does("reinforce", {"state": reinforcements(), "source": "oob.json"})
    later = {"date": DATES[cg][1], "wave": "2", "lines": "2-2-8 crew"}
    does("reinforce", {"state": reinforcements("j-crew-9")} | later)
    does("buy", order("hmg", location="L20"), "japanese")
    does("buy", order("pillbox_1_3_5", location="M21", arc=["N20", "N21"], capacity=2), "japanese")
    does("buy", order("at_37l", draft=True), "japanese")
    does("commit", {"side": "japanese"}, "japanese")
    does("buy", order("inf_37", quantity=2), "japanese")
    does("void", {"purchase": "pj4", "reason": "a slip"}, "japanese")
    does("buy", order("wire", draft=True), "japanese")
    does("discard", {"side": "japanese"}, "japanese")
    does("allot", {"side": "japanese", "beach": "green", "gpp": 5}, "japanese")
    does("ruling", {"id": "R-SPLIT", "value": other_value(desk, "R-SPLIT")})
    does("import", imported(document(DATES[cg][0])))
    does("edit", {"id": "m-sq-1", "set": {"name": "Baker"}, "reason": "misspelt"})
    dice = SeededDice(15)
    supply = AnswerSupply(dice=dice, defaults=True)
    finish(desk, supply, to="15.6112")
    desk.answer(3, "marine")
    desk.undo_or_request()
    desk.redo()
    finish(desk, supply, to="15.614")
    does("buy", order("foxhole_1s", "marine", location="N19"), "marine")
    does("buy", order("san_increase", "marine"), "marine")
    does("buy", order("concealment", quantity=2), "japanese")
    finish(desk, supply, to="15.6202", location={"m-sq-1": "N19"})
    finish(desk, supply)


def other_value(desk: OpenCampaign, ruling: str) -> str:
    options = unrestricted_campaign(desk).card.rulings[ruling].options
    return next(
        one for one in options if one != unrestricted_campaign(desk).campaign.ruling_value(ruling)
    )


def reinforcements(id: str = "j-crew-1") -> dict[str, Any]:
    crew = {"id": id, "side": "japanese", "kind": "crew", "class": "elite"}
    units = [crew | {"location": "M44"}]
    return {"format": "brt-cg/state", "version": 1, "units": units}


def finish(
    desk: OpenCampaign,
    supply: AnswerSupply,
    to: str | None = None,
    location: dict[str, str] | None = None,
) -> None:
    """Plays on to a question of the paragraph `to`, or to the end of the phase; the Marines give
    the Locations of `location` at their setup."""
    unrestricted_campaign(desk).begin_invocation()
    while (
        ask := desk.play_to_question()
        if unrestricted_campaign(desk).campaign.situation.phase != "scenario"
        else None
    ) is not None:
        reached = to is not None and ask.rule.startswith(to)
        if reached and (location is None or ask.side == "marine"):
            break
        raw, source = desk.get_answer_from_supply(ask, supply)
        desk.answer(raw, ask.side, source)
    if location is not None and ask is not None:
        desk.answer(location, "marine")


def make(path: Path, cg: str = "III") -> Path:
    """Plays the campaign into a file."""
    grant = {"date": DATES[cg][1], "side": "japanese", "beach": "red_one", "fpp": 20}
    asked = {
        "cg": cg,
        "name": "Small",
        "players": {"marine": "Ann"},
        "allotments": ALLOTMENTS | {"grant": [grant]},
    }
    desk = OpenCampaign.create(path, asked, clock=lambda: NOON)
    play_all(desk, cg)
    desk.close()
    return path
