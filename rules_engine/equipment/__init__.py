"""What tables are made of, each with its own checks: people in their places, cards, a wheel, a layout with chips."""
