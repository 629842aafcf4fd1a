"""The play aids."""
