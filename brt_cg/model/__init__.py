"""The campaign: its counters, records and Setup Areas, and what each side may know of them."""
