"""Running the platform: health, metrics, logs, supervisor, web server, beat, backups, release."""
