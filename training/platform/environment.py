"""Settings from the environment, all read through `env`, so that a test can compare them with `docs/operating.md`.

Reports every setting that is missing or unreadable in one line.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from training.platform import secret_key

DEMO_KEY = "secret_key"  # the file with the secret key of the demo
DESCRIBED = "docs/operating.md, “Settings”"
# Without one of these, production would silently fall back to a local file, queue or mail server.
NEEDED = ("SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "CELERY_BROKER_URL", "EMAIL_URL", "DEFAULT_FROM_EMAIL")


class Environment(environ.Env):  # type: ignore[misc]  # the library has no types
    """`environ.Env` that records which names were read."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def get_value(self, var: str, *args: Any, **kwargs: Any) -> Any:
        self.asked.add(var)
        try:
            return super().get_value(var, *args, **kwargs)
        except ValueError:
            raise SystemExit(f"Sabot cannot start: {var} must be a number ({DESCRIBED}).") from None


env = Environment()
DATABASES = ("django.db.backends.postgresql", "django.db.backends.sqlite3")


def _is_database(given: str) -> bool:
    if "://" not in given:
        return False  # the library would only warn, and print the whole address
    found = env.db_url_config(given)
    return found.get("ENGINE") in DATABASES and bool(found["NAME"])


def _is_broker(given: str) -> bool:
    parts = [urlsplit(one) for one in given.split(";")]  # one for each node of a cluster
    return all(part.scheme and part.port != 0 for part in parts)


def _is_mail(given: str) -> bool:
    found = env.email_url_config(given)
    return not found["EMAIL_BACKEND"].endswith("smtp.EmailBackend") or bool(found["EMAIL_HOST"])


# For each address: a check whether it can be used, and an example.
ADDRESSES: dict[str, tuple[Callable[[str], bool], str]] = {
    "DATABASE_URL": (_is_database, "postgres://user:password@host/database"),
    "CELERY_BROKER_URL": (_is_broker, "amqp://user:password@host/vhost"),
    "EMAIL_URL": (_is_mail, "smtp+tls://user:password@host:587"),
}


def mode() -> str:
    """Return “demo” or “production”.

    Exits with one line and no traceback if production lacks a setting or has a weak SECRET_KEY, or if an address
    cannot be read.
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
    if named == "production":
        _verify_secret_key()
    for name in ADDRESSES:
        _verify_readable(name)
    return named


def var_dir() -> Path:
    """The directory for files; in demo mode also for the database, the queue and mail."""
    return Path(env.str("SABOT_VAR", default=str(Path(__file__).resolve().parents[2] / "var")))


def _verify_secret_key() -> None:
    if weak := secret_key.weakness(env.str("SECRET_KEY").strip(), of_demo=var_dir() / DEMO_KEY):
        raise SystemExit(f"Sabot cannot start: SECRET_KEY {weak}. {secret_key.HOW} ({DESCRIBED}).")


def _verify_readable(name: str) -> None:
    """Exit if an address cannot be read. The library's own message would quote part of the password."""
    can_be_used, like = ADDRESSES[name]
    given = env.str(name, default="").strip()
    try:
        fine = not given or can_be_used(given)
    except (ValueError, ImproperlyConfigured):
        fine = False
    if not fine:
        raise SystemExit(
            f"Sabot cannot start: {name} cannot be read. It must look like {like}, and in its user and password "
            f"each of @ : / ? # % is written as % and its code, %40 for @ ({DESCRIBED})."
        )


def address() -> tuple[str, str]:
    """The host and port for the web server, as given."""
    return str(env.str("HOST", default="127.0.0.1")), str(env.str("PORT", default="")) or "8000"
