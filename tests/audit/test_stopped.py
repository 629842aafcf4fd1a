"""An audit while a paragraph is not finished finds nothing that only its end settles."""

from pathlib import Path

from brt_cg.audit import audit_campaign
from brt_cg.questions import RollQuestion
from brt_cg.service.open_campaign import OpenCampaign
from tests.tui.moments import played


def test_the_first_loss_of_a_paragraph_is_no_finding_while_its_ruling_is_asked(
    demo_file: Path,
) -> None:
    desk = OpenCampaign.open(played(demo_file, "15.6032"))
    ask = desk.play_to_question()
    while isinstance(ask, RollQuestion):
        assert (ask.rule, audit_campaign(demo_file).findings) == ("15.6041", ())
        ask = desk.answer_and_play(ask, (6, 6))
    assert ask is not None
    assert ask.subject == "R-CVP-REFIT"
    assert audit_campaign(demo_file).findings == ()
    desk.close()
