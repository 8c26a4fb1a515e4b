"""What keeps the platform running: health, metrics, logs, supervisor, web server, beat, backups, release."""
