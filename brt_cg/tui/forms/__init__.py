"""The screen of all forms, and the forms that several rooms open; others are in their room."""
