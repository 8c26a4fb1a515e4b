"""Metrics for Prometheus at `/metrics`: requests and waiting, what the proxy refused, and pending work (`gauges`)."""
