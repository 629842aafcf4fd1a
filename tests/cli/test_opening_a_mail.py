"""`open` of a mail without a terminal: it names the campaign that the mail belongs to."""

from pathlib import Path

from tests.cli.shell import Shell


def test_a_mail_names_its_campaign_and_how_to_receive_it(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    made = tmp_path / "new.brtmail"
    assert brt("send", file, "-o", made, "--side", "marine").code == 0
    got = brt("open", made)
    assert (got.code, f"is a mail for {file}" in got.err) == (0, True)
    file.unlink()
    assert f"brt-cg receive {tmp_path / 'new.brt'} {made}" in brt("open", made).err
    made.write_bytes(b"no mail")
    assert brt("open", made).code == 2
