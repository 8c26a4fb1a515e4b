"""The HR desk: who may deal what on which date, staff lists, exports."""
