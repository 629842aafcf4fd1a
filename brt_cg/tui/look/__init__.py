"""How the screen looks: themes, sizes, style sheets, text that hangs and keeps its colours."""
