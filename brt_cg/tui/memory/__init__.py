"""What the screen remembers between runs, in small files on the player's own machine."""
