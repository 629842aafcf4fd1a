"""What is searched by words: the PTO chart and other paragraphs of the Japanese rules."""

import pytest

from brt_cg.aids.japanese import RuleNote, read_japanese_rolls, read_pto_chart, search_notes
from brt_cg.questions.answers import RefusedError

TERRAIN = {
    "Light jungle": ("Woods", "2-level obstacle", "+1/−1", "2 MF"),
    "Dense jungle": ("Woods", "2-level obstacle, Inherent", "+2/−1", "2 MF"),
    "Bamboo": ("Brush", "1-level obstacle, Inherent", "+1/−1", "Minimum Move"),
    "Palms": ("Orchard", "1-level hindrance or obstacle, Inherent", "0", "1 MF"),
    "Hut": ("Wooden buildings", "1-level hindrance", "+1", "2 MF"),
    "Kunai": ("Grain", "hindrance", "0", "2 MF"),
    "Swamp": ("Marsh beside jungle", "2-level obstacle", "+1/−1", "all MF"),
    "Marsh": ("Marsh", "hindrance", "0", "all MF"),
}


def test_every_terrain_of_the_chart_has_a_note() -> None:
    listed = [note for note in read_pto_chart().entries if note.rule == "PTO chart, terrain"]
    assert [note.title for note in listed] == list(TERRAIN)
    for note in listed:
        instead, los, tem, infantry = TERRAIN[note.title]
        head = f"instead of {instead} · los {los} · tem {tem} · infantry {infantry}"
        assert note.text.startswith(head)


@pytest.mark.parametrize(
    ("section", "titles"),
    [
        (
            "Terrain",
            "Roads, paths, fords|Fortifications|Detection|SW recovery|Ambush|Radio|No Quarter",
        ),
        ("Banzai", "Who may|How"),
        (
            "Japanese",
            "Leaders|SMC, Stealth, WP|Penalties|Not applicable|Bonuses|Close Combat|"
            "Tank-Hunter Heroes (G1.421)|DC Heroes (G1.424)|Ordnance",
        ),
        (
            "Chinese",
            "GMD|Communists|Both|Ordnance|Dare-Death Squads: how many|"
            "Dare-Death Squads: going berserk|Dare-Death Squads: CC",
        ),
        ("US", "Marines|Inherent crews"),
    ],
)
def test_every_entry_of_the_chart_has_a_note(section: str, titles: str) -> None:
    found = [
        note.title for note in read_pto_chart().entries if note.rule == f"PTO chart, {section}"
    ]
    assert found == titles.split("|")


def test_a_search_finds_notes_with_all_words_in_any_case() -> None:
    assert [
        note.title for note in search_notes(read_pto_chart().entries, ["CONTACT", "plentiful"])
    ] == ["Ordnance"]


def test_a_search_without_a_match_is_refused() -> None:
    with pytest.raises(RefusedError, match="nothing contains 'xyzzy'"):
        search_notes(read_pto_chart().entries, ["xyzzy"])


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("concealment dr -2", "G1.63"),
        ("search dr +2", "G1.63"),
        ("interrogation", "G1.621"),
        ("integrity", "G1.622"),
        ("hand-to-hand -1", "G1.64"),
        ("capture attempt -1", "G1.641"),
        ("armor leaders 9-0", "G1.411"),
        ("self-rally", "G1.62"),
        ("observation planes", "G1.6621"),
        ("wings sticks", "G1.664"),
    ],
)
def test_paragraphs_are_found_by_their_words(words: str, rule: str) -> None:
    assert rule in [note.rule for note in search_notes(read_japanese_rolls().notes, words.split())]


def test_every_paragraph_has_a_note_or_a_table() -> None:
    from brt_cg.aids.outcomes import read_outcomes

    rules = {note.rule for note in read_japanese_rolls().notes if isinstance(note, RuleNote)}
    rules |= {row.rule for row in read_outcomes().rows}
    rules |= {share.rule for share in (*read_japanese_rolls().limits, *read_japanese_rolls().costs)}
    numbers = (
        "1.1 1.11 1.121 1.122 1.123 1.124 1.125 1.131 1.132 1.133 1.14 1.15 1.16 1.17 1.2 1.3 1.4 "
        "1.41 1.411 1.421 1.422 1.423 1.4231 1.424 1.4241 1.425 1.5 1.6 1.61 1.611 1.612 1.6121 "
        "1.613 1.62 1.621 1.622 1.63 1.631 1.632 1.64 1.641 1.65 1.66 1.661 1.662 1.6621 1.663 "
        "1.664"
    )
    assert {f"G{number}" for number in numbers.split()} - rules == set()
