"""A place where errors are gathered (Sentry, GlitchTip), for houses that have one: `SENTRY_DSN`, and the package
`sentry-sdk` installed beside ours. Without the setting nothing is loaded and nothing is sent."""

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
    """What our logs never hold leaves the house even less: paths may carry reset keys, headers cookies. Nor do lines of
    the log, which name people by their number: only errors."""
    if "exception" not in event:
        return None
    private = ("request", "user", "extra", "breadcrumbs", "logentry")
    return {part: told for part, told in event.items() if part not in private}
