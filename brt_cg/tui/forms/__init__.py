"""The screen of all forms, and the forms that several rooms open; others lie in their room."""
