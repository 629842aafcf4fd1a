"""The forms: what each asks for, and the judge of what is typed. `screens/form.py` draws them."""
