"""Purchases (15.614): the ledger of what was bought and voided, its limits, and what it makes."""
