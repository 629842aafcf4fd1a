"""The forms: what each asks for, checks and carries out. `screens/form.py` draws them."""
