class Unfit(Exception):
    """Why a backup cannot be made or put back, in words for whoever runs the platform."""
