"""The look of the screen: themes, sizes, style sheets, text with hanging indents and its own
colors."""
