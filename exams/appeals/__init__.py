"""Appeals: a candidate contests an item and somebody impartial decides."""
