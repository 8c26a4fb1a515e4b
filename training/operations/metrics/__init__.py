"""What Prometheus may ask at `/metrics`: how requests go (`requests`), and what waits and how long (`readings`)."""
