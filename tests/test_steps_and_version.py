"""A step that is changed raises the version of the rules, wherever a recorded campaign tells.

`changes.json` holds what came of each recorded campaign, and the rules that it was played under:
their version and the digests of their data. `python -m tests.recorded.regenerate --changes` writes
it anew after either was changed, and refuses to where neither was.
"""

import json
from pathlib import Path

import pytest

from tests.recorded.regenerate import CHANGES, changes_of
from tests.test_recorded import CAMPAIGNS


@pytest.mark.parametrize("folder", CAMPAIGNS, ids=lambda folder: folder.name)
def test_what_comes_of_a_recorded_campaign_changes_only_with_the_rules_that_it_names(
    folder: Path,
) -> None:
    kept = json.loads(CHANGES.read_text("utf-8")).get(folder.name, {})
    found = changes_of(folder)
    if kept.get("rules") == found["rules"]:
        assert found == kept, "a step was changed: raise VERSION in rules_version.py"
    assert found == kept, "python -m tests.recorded.regenerate --changes"
