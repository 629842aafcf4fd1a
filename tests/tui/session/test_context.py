"""What is shown during long work is shown in the context of the app, which its timers need."""

from collections.abc import Iterator
from contextvars import ContextVar
from functools import partial
from pathlib import Path

import pytest

from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.tui.session import session as session_module
from brt_cg.tui.session.session import Session, read_campaign

_WHERE = ContextVar("where", default="nowhere")


async def test_messages_during_work_are_shown_in_their_context(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "BREATH", -1.0)  # show after each step

    def steps(desk: CampaignReader) -> Iterator[None]:
        yield
        yield

    shown: list[str] = []
    session = Session(lambda seen: shown.append(_WHERE.get()))
    _WHERE.set("in the app")
    await session.open(partial(read_campaign, demo_file))
    await session.show_as_seat(None)
    shown.clear()
    await session.perform(steps, plays=True)
    session.end_session()
    assert shown == ["in the app"] * 3
