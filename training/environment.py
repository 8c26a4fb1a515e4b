"""Every setting that the platform reads from its environment goes through `env`, so that what is read can be compared
with what `docs/operating.md` describes, and all that production lacks is told in one line."""

from typing import Any

import environ

DESCRIBED = "docs/operating.md, “Settings”"
# Where one of these were left out, production would quietly work with a file, a queue or a mail server of its own.
NEEDED = ("SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "CELERY_BROKER_URL", "EMAIL_URL", "DEFAULT_FROM_EMAIL")


class Environment(environ.Env):  # type: ignore[misc]  # it comes without types
    """`environ.Env` that remembers which names it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def get_value(self, var: str, *args: Any, **kwargs: Any) -> Any:
        self.asked.add(var)
        return super().get_value(var, *args, **kwargs)


env = Environment()


def mode() -> str:
    """“demo” or “production”; ends the process with one line where production lacks a setting.

    No exception that a framework would dress in a traceback: whoever starts this wants the one line.
    """
    named = str(env.str("SABOT_MODE", default="production"))
    if named not in ("demo", "production"):
        raise SystemExit(f"SABOT_MODE is “{named}”; it must be “demo” or “production” ({DESCRIBED}).")
    missing = [name for name in NEEDED if not env.str(name, default="").strip()]
    if named == "production" and missing:
        raise SystemExit(
            f"Sabot cannot start: {', '.join(missing)} not set. Production needs {'these' if missing[1:] else 'this'} "
            f"({DESCRIBED}); SABOT_MODE=demo needs nothing."
        )
    return named


def address() -> tuple[str, str]:
    """Host and port where the web server listens, as they were given."""
    return str(env.str("HOST", default="127.0.0.1")), str(env.str("PORT", default="")) or "8000"
