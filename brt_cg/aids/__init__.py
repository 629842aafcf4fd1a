"""Play aids in addition to the campaign: the Japanese rules, the PTO chart and the quick fight."""
