"""Purchases (15.614): the ledger of purchases and voids, its limits, and the counters they
create."""
