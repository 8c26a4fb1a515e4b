"""Reports errors to Sentry or GlitchTip if `SENTRY_DSN` is set and `sentry-sdk` is installed."""

from typing import Any

import structlog

log = structlog.get_logger(__name__)


def start(address: str) -> None:
    if not address:
        return
    try:
        import sentry_sdk
    except ImportError:
        log.error("error_tracker_missing", hint="SENTRY_DSN is set but sentry-sdk is not installed")
        return
    sentry_sdk.init(
        address,
        before_send=without_secrets,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        traces_sample_rate=0.0,
    )


def without_secrets(event: Any, _hint: Any) -> Any:
    """Drop everything but exceptions, and from these the request, user and logs: they may contain secrets or names."""
    if "exception" not in event:
        return None
    private = ("request", "user", "extra", "breadcrumbs", "logentry")
    return {part: told for part, told in event.items() if part not in private}
