"""Which tests own what, so that each table is tested in one place.

- A row, an edge or a modifier of a numbered paragraph (15.601–15.6205) belongs to the tests of that
  paragraph in `tests/refit/`, named after what the rule says: each edge, each modifier alone, and
  all together. Change any number of `campaigns/tables.toml` and one of them fails.
- A price, a limit, what a counter is worth belong to `tests/card/` and `tests/purchases/`.
- What depends on a whole stack or map at once belongs to the naive readings here, which share no
  line with the program: who leads whom, who helps to carry, how a defence falls apart, which beach
  is nearest, who must fill which pillbox.
- How paragraphs follow one another belongs to the recorded campaigns. They stay as they were.
"""
