"""15.612: the next CG Date, and the SAN."""

from brt_cg.card import arrival_text, due_arrivals, enter_arrival
from brt_cg.model import SIDES, Side, SideRecord, fields_of
from brt_cg.questions import AnswerForm, Candidate, EntryQuestion, reader_of_shape
from brt_cg.refit.play import Play, paragraph


@paragraph("15.6121", nothing="no CG Date is left")
async def begin_new_cg_date(play: Play) -> None:
    """The next CG Date starts. The Marines attack on every AM and PM date, the Japanese at Night;
    whether a Night scenario is played is known at 15.6203 (R-NIGHT). The CG card's arrivals
    for that date arrive, off map."""
    situation = play.campaign.situation
    following = play.card.next_date(situation.date)
    if following is None:
        return
    situation.date = following
    situation.initial = False
    situation.turns = situation.first_setup = situation.first_move = None
    is_night = play.card.is_night_date(following)
    readings = () if is_night else ("attacker",)
    attacker = Side.JAPANESE if is_night else Side.MARINE
    play.log(f"the CG Date is now {following}, and the {attacker.plural} attack", readings=readings)
    bring_arrivals(play)


def bring_arrivals(play: Play) -> None:
    """Bring the CG card's arrivals up to the current CG Date into play, off map."""
    for arrival in due_arrivals(play.campaign, play.card):
        for counter in enter_arrival(play.campaign, arrival):
            play.log_event(counter, f"arrives ({arrival_text(arrival)})")


@paragraph("15.6122", nothing="no SAN changes")
async def adjust_san(play: Play) -> None:
    """Each side's SAN for the new date, 0 to 7 (R-SAN: as the players enter it)."""
    for side in SIDES:
        record = play.campaign.sides[side]
        date = play.campaign.situation.date
        san = await play.ask(
            EntryQuestion(
                subject=side,
                side=side,
                prompt=f"The {side.label} SAN is {record.san}: "
                f"does 15.6122 of your rulebook change it for {date}?",
                reader=reader_of_shape(fields_of(SideRecord)["san"].shape),
                hint=SANS,
                form=_form_of_san(record.san),
                default=record.san,
            )
        )
        before, record.san, record.announced_san = record.san, san, san
        words = f"stays {san}" if san == before else f"changes from {before} to {san}"
        play.log(f"{side.label} SAN {words}", ruling="R-SAN")


def _form_of_san(now: int) -> AnswerForm:
    """Return the form for the new SAN: the current SAN comes first, so that it is easy to keep."""
    others = [Candidate(san, f"SAN {san}", str(san)) for san in range(8) if san != now]
    stays = Candidate(now, f"no: it stays {now}", str(now))
    return AnswerForm(hint=SANS, candidates=lambda: [stays, *others], only=True)


SANS = "a SAN of 0–7"
