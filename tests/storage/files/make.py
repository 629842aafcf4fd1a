"""Makes the small campaign file of the newest revision, once, when that revision is released.

`python -m tests.storage.files.make` from the top of a checkout.
"""

from pathlib import Path

from brt_cg.storage.reader import HEAD
from tests.storage.pen import sql, write_a_campaign

if __name__ == "__main__":
    made = Path(__file__).with_name(f"{HEAD}.brt")
    made.unlink(missing_ok=True)
    write_a_campaign(made).file.close()
    sql(made, "VACUUM")
