"""15.616: the decision whether the Japanese will attempt a Banzai at Night."""

from brt_cg.model import Side
from brt_cg.questions import ChoiceQuestion, Option
from brt_cg.refit.play import Play, paragraph


@paragraph("15.616", nothing="the date that just ended was not a PM date")
async def ask_banzai_decision(play: Play) -> None:
    """After a PM date before the end of the campaign the Japanese player secretly records whether
    he will attempt a Banzai Night Attack. It is revealed at 15.6203."""
    situation = play.campaign.situation
    if situation.ended is None or not play.card.is_pm_date(situation.ended):
        play.because = f"{situation.ended} was not a PM date"
        return
    situation.banzai = await play.ask(
        ChoiceQuestion(
            subject="japanese",
            side=Side.JAPANESE,
            prompt="Will the Japanese attempt a Banzai Night Attack? (secret until 15.6203)",
            secret=Side.JAPANESE,
            options=(Option(True, "yes", True), Option(False, "no", False)),
            default=False,
        )
    )
    play.log(
        f"the Japanese {'will' if situation.banzai else 'will not'} attempt a Banzai Night Attack",
        secret=Side.JAPANESE,
    )
