"""What the baccarat games share: how cards count, two hands, and the words for both. It is no game by itself."""
