class Unfit(Exception):
    """A backup cannot be made or restored; the message tells the operator why."""
