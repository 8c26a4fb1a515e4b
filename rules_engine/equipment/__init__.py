"""What tables are made of, each with its own checks: people, cards, a shoe, a wheel, a layout with chips."""
