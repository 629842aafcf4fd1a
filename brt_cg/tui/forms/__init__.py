"""The forms: what each asks for, how it checks and carries that out. `screens/form.py` draws
them."""
