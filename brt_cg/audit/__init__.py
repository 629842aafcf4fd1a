"""The audit: recomputes everything from the journal and reports every breach."""
