"""Metrics for Prometheus at `/metrics`: requests (`requests`), and pending work and queues (`gauges`)."""
