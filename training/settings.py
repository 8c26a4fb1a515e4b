"""Settings, all from the environment.

Without any variable the platform is in production mode and asks for what it needs; `SABOT_MODE=demo` (what
`make run` sets) makes everything it needs under `var/`.
"""

import secrets
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from training import broker, logs

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.str("SABOT_VAR", default=str(BASE_DIR / "var")))
VAR_DIR.mkdir(parents=True, exist_ok=True)

MODE = env.str("SABOT_MODE", default="production")
if MODE not in ("demo", "production"):
    raise ImproperlyConfigured(f"SABOT_MODE is “{MODE}”; it must be “demo” or “production”.")
DEMO = MODE == "demo"
DEBUG = False


def demo_secret_key() -> str:
    """A key made on the first start and kept, so that sessions outlive a restart."""
    path = VAR_DIR / "secret_key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(48))
    return path.read_text()


SECRET_KEY = env.str("SECRET_KEY", default=demo_secret_key() if DEMO else "")
if not SECRET_KEY:
    raise ImproperlyConfigured(
        "SECRET_KEY is not set. Production mode needs a long random value; "
        "SABOT_MODE=demo makes one for trying the platform out."
    )
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"] if DEMO else [])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "training.apps.TrainingConfig",
    "training.mastery.apps.MasteryConfig",
    "training.figures.apps.FiguresConfig",
    "training.library.apps.LibraryConfig",
    "training.classes.apps.ClassesConfig",
    "training.api.apps.ApiConfig",
    "exams.apps.ExamsConfig",
    "exams.audit.apps.AuditConfig",
    "exams.programmes.apps.ProgrammesConfig",
    "exams.records.apps.RecordsConfig",
    "exams.results.apps.ResultsConfig",
    "exams.sessions.apps.SessionsConfig",
    "exams.regrading.apps.RegradingConfig",
    "exams.appeals.apps.AppealsConfig",
    "exams.certificates.apps.CertificatesConfig",
    "exams.hr.apps.HrConfig",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "training.logs.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "training.people.preferences.PersonPreferences",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "training.people.access.DenyUnlessAllowed",
    "training.refusal.RefusalMiddleware",
]
ROOT_URLCONF = "training.urls"
WSGI_APPLICATION = "training.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.template.context_processors.tz",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "training.people.menu.menu",
            ],
        },
    },
]

# Storage

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'sabot.sqlite3'}")}
DATABASES["default"].update(CONN_MAX_AGE=env.int("CONN_MAX_AGE", default=600), CONN_HEALTH_CHECKS=True)
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # Readers do not wait for the writer, and a writer takes its turn at once instead of failing midway.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# Sign-in limits are counted in the cache, so it must be one that all web processes share.
CACHES = {"default": env.cache("CACHE_URL", default="dbcache://cache")}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

# Languages and time

LANGUAGES = [("pt", _("Português")), ("en", _("English"))]
LANGUAGE_CODE = "pt"
LOCALE_PATHS = [BASE_DIR / "training" / "locale"]
FORMAT_MODULE_PATH = ["training.formats"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = env.str("TIME_ZONE", default="Europe/Lisbon")
USE_TZ = True

# Mail

# The third slash begins the path, the fourth makes it absolute.
globals().update(env.email("EMAIL_URL", default=f"filemail:///{VAR_DIR / 'mail'}" if DEMO else "smtp://localhost:25"))
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Sabot <sabot@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# People

AUTH_USER_MODEL = "training.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_ADAPTER = "training.people.accounts.HouseAccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"  # the house enters the addresses; nobody signs up
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_SESSION_REMEMBER = False  # training rooms share computers
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if DEMO else "https"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Sabot"

# Security

TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
SESSION_COOKIE_AGE = 12 * 60 * 60
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = not DEMO
CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SECURE_SSL_REDIRECT = not DEMO
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 0 if DEMO else env.int("HSTS_SECONDS", default=365 * 24 * 60 * 60)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = not DEMO
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "img-src": [SELF, "data:"],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["training.api.doors.LimitedJson"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "training.api.doors.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["training.api.doors.AsDeclared"],
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": env.str("API_RATE_ANONYMOUS", default="30/min"),
        "user": env.str("API_RATE", default="300/min"),
    },
    "NUM_PROXIES": TRUSTED_PROXIES,
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "training.api.schema.Described",
    "EXCEPTION_HANDLER": "training.api.problems.handle",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Sabot",
    "DESCRIPTION": "Practice, rulebooks, the library of scenarios, classes, certificates and the roster, for programs.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "DrillState": "training.api.drill_shapes.STATES",
        "DrillMode": "training.practice.models.Drill.Mode",
        "VersionState": "training.library.models.Version.State",
        "VersionSource": "training.library.models.Version.Source",
    },
}

# Certificates

# Printed on certificates, and the address at which they are checked.
ISSUER_NAME = env.str("ISSUER_NAME", default="Escola de Jogo Sabot (demonstração)" if DEMO else "Sabot")
_own_address = (
    f"http://localhost:{env.str('PORT', default='8000')}" if DEMO else f"https://{(ALLOWED_HOSTS or [''])[0]}"
)
PUBLIC_URL = env.str("PUBLIC_URL", default=_own_address).rstrip("/")
# A PKCS#12 file to sign the PDF documents with; without one they are not signed.
CERTIFICATE_SIGNING_KEY = env.str("CERTIFICATE_SIGNING_KEY", default="")
CERTIFICATE_SIGNING_PASSWORD = env.str("CERTIFICATE_SIGNING_PASSWORD", default="")
CHECK_RATE = env.int("CHECK_RATE", default=60)  # public checks from one address in a minute

# Queue and logs

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default=broker.embedded_url(VAR_DIR))
CELERY_BROKER_TRANSPORT_OPTIONS = broker.transport_options(CELERY_BROKER_URL)
CELERY_QUEUE_PREFIX = env.str("CELERY_QUEUE_PREFIX", default="")
LOGGING_CONFIG = None
logs.configure(readable=DEMO)
