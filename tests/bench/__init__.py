"""`make bench`: how fast things are, each beside a yardstick that is measured in the same run."""
