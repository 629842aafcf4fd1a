"""Purchases (15.614): the ledger of purchases and voids, its limits, and the counters that
purchases create."""
