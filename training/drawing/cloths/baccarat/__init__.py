"""What both baccarat cloths share."""
