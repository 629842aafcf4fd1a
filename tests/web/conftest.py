"""The demo, served."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brt_cg.service import demo
from tests.web.browsing import chromium
from tests.web.serving import served


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo.create_demo(tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="module")
def addresses(campaign: Path) -> Iterator[dict[str, str]]:
    with served(campaign) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found
