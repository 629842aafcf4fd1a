"""Play aids beside the campaign: the Japanese rules, the PTO chart and the quick fight."""
