"""Settings, all from the environment.

The default is production mode, which reports missing settings. `SABOT_MODE=demo` (set by `make run`) creates everything
it needs under `var/`.
"""

import ipaddress
import secrets
import sys
from pathlib import Path

from csp.constants import NONE, SELF

from training.operations import error_tracker, logs
from training.platform import broker, file_modes
from training.platform.environment import DEMO_KEY, address, env, mode, var_dir

MODE = mode()
DEMO = MODE == "demo"
DEBUG = False
BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = var_dir()
VAR_DIR.mkdir(parents=True, exist_ok=True)
if DEMO:
    file_modes.repair(VAR_DIR)


def demo_secret_key() -> str:
    """A key that is created on the first start and kept, so that sessions survive a restart."""
    path = VAR_DIR / DEMO_KEY
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(48))
    return path.read_text()


SECRET_KEY = env.str("SECRET_KEY", default="") or demo_secret_key()
# Earlier keys: they still open what they sealed or signed, but are not used for anything new.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "training.platform.apps.PlatformConfig",
    "training.operations.apps.OperationsConfig",
    "training.people.apps.PeopleConfig",
    "training.house.apps.HouseConfig",
    "training.mail.apps.MailConfig",
    "training.mastery.apps.MasteryConfig",
    "training.figures.apps.FiguresConfig",
    "training.library.apps.LibraryConfig",
    "training.practice.apps.PracticeConfig",
    "training.classes.apps.ClassesConfig",
    "training.live_table.apps.LiveTableConfig",
    "training.sprint.apps.SprintConfig",
    "training.home.apps.HomeConfig",
    "training.rulebooks",
    "training.api.apps.ApiConfig",
    "exams.apps.ExamsConfig",
    "exams.audit.apps.AuditConfig",
    "exams.programmes.apps.ProgrammesConfig",
    "exams.records.apps.RecordsConfig",
    "exams.practical.apps.PracticalConfig",
    "exams.results.apps.ResultsConfig",
    "exams.mock.apps.MockConfig",
    "exams.exam_sessions.apps.SessionsConfig",
    "exams.regrading.apps.RegradingConfig",
    "exams.appeals.apps.AppealsConfig",
    "exams.certificates.apps.CertificatesConfig",
    "exams.accounts.apps.AccountsConfig",
    "exams.webhooks.apps.WebhooksConfig",
    "exams.house_office.apps.HouseOfficeConfig",
    "exams.hr.apps.HrConfig",
    "exams.sign_on.apps.SignOnConfig",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
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
    "training.operations.logs.RequestLog",
    "training.operations.health.ProbesByAddress",
    "training.operations.metrics.requests.CountRequests",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "training.people.fragments.FragmentsAreNotPages",
    "training.platform.storable.PlainCookies",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "training.people.sign_on.SessionsFollowTheDirectory",
    "training.people.preferences.PersonPreferences",
    "training.platform.italian.ItalianDates",
    "training.people.sign_in_checks.AtTheDoor",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "training.platform.storable.PlainText",
    "training.library.guarded_requests.RecordAsked",
    "training.people.access.DenyUnlessAllowed",
    "training.platform.errors.RefusalMiddleware",
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
                "training.people.preferences.languages_offered",
                "training.people.theme.theme",
                "training.operations.software_release.release",
            ],
        },
    },
]

# Storage

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'sabot.sqlite3'}")}
DATABASES["default"].update(CONN_MAX_AGE=env.int("CONN_MAX_AGE", default=600), CONN_HEALTH_CHECKS=True)
# Without persistent connections we assume a pooler, which does not support server-side cursors.
DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = not DATABASES["default"]["CONN_MAX_AGE"]
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # Readers do not wait for the writer, and a writer takes the lock at the start instead of failing midway.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# The API rates are counted in the cache, so it must be shared by all web processes and large enough.
CACHES = {"default": env.cache("CACHE_URL", default="dbcache://cache?max_entries=20000")}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "training" / "static"]
STATIC_ROOT = VAR_DIR / "static"
# Indexes of the rulebooks (`training.search.stored`), which `make setup` writes beside the packages.
SEARCH_DIR = Path(sys.prefix) / "search"
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

# Languages and time

# By their own names.
LANGUAGES = [("pt", "Português"), ("en", "English"), ("it", "Italiano"), ("es", "Español")]
LANGUAGE_CODE = "pt"
LOCALE_PATHS = [BASE_DIR / "training" / "locale"]
FORMAT_MODULE_PATH = ["training.formats"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = env.str("TIME_ZONE", default="Europe/Lisbon")
USE_TZ = True

# Mail

# The third slash begins the path, the fourth makes it absolute.
globals().update(env.email("EMAIL_URL", default=f"filemail:///{VAR_DIR / 'mail'}"))
EMAIL_TIMEOUT = env.int("EMAIL_TIMEOUT", default=10)  # seconds that a worker waits for each reply of the mail server
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Sabot <sabot@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# People

AUTH_USER_MODEL = "people.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
# The others only check passwords that were stored by an earlier release, until their owner signs in.
PASSWORD_HASHERS = [
    "training.people.passwords.Argon2id",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_ADAPTER = "training.mail.adapter.PostingAccountAdapter"
ACCOUNT_FORMS = {
    "login": "training.people.sign_in_forms.SignInForm",
    "reset_password": "training.mail.password.AskForm",
    "reset_password_from_key": "training.mail.password.ChooseForm",
    "change_password": "training.people.sign_in_checks.ChangeForm",
}
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "training.people.links.LinkTokens"  # noqa: S105 (the name of a class)
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"  # the house adds the addresses; nobody signs up
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_SESSION_REMEMBER = False  # training rooms share computers
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if DEMO else "https"
# Whole rooms sign in and choose passwords from one address, so addresses have room for 300 people; what protects an
# account is limited by account. `training.people.limits` stops guessing.
ACCOUNT_RATE_LIMITS = {
    "login": "",
    "login_failed": "",
    "reset_password": "300/m/ip,5/m/key",
    "reset_password_from_key": "600/m/ip",
    "sign_on_begin": "600/m/ip",
    "sign_on_callback": "600/m/ip",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_FORMS = {
    "authenticate": "training.people.second_factor.CodeForm",
    "reauthenticate": "training.people.second_factor.CodeAgainForm",
}
MFA_ADAPTER = "training.people.second_factor.SealingAdapter"
MFA_TOTP_ISSUER = "Sabot"

# Sign-on with the house's directory: an OpenID Connect provider. Off without an issuer.
SIGN_ON_ISSUER = env.str("SIGN_ON_ISSUER", default="")
SIGN_ON_CLIENT_ID = env.str("SIGN_ON_CLIENT_ID", default="")
SIGN_ON_CLIENT_SECRET = env.str("SIGN_ON_CLIENT_SECRET", default="")
SIGN_ON_NAME = env.str("SIGN_ON_NAME", default="")
SIGN_ON_SCOPES = env.list("SIGN_ON_SCOPES", default=["openid"])
SIGN_ON_GROUPS_CLAIM = env.str("SIGN_ON_GROUPS_CLAIM", default="groups")
# With one, people whom the staff list entered are found by their staff number at the first sign-in.
SIGN_ON_STAFF_NUMBER_CLAIM = env.str("SIGN_ON_STAFF_NUMBER_CLAIM", default="")
# The values of `amr` or `acr` by which the provider asserts a second factor.
SIGN_ON_SECOND_FACTOR = env.list("SIGN_ON_SECOND_FACTOR", default=["mfa"])
# Whether the provider may sign people in without asking again; not where computers are shared.
SIGN_ON_ONCE = env.bool("SIGN_ON_ONCE", default=False)
SIGN_ON_TOKEN_DAYS = env.int("SIGN_ON_TOKEN_DAYS", default=30)
SOCIALACCOUNT_ADAPTER = "exams.sign_on.provider.OnlyTheDirectory"

# Whether instructors, HR and administrators must set up a second factor first.
SECOND_FACTOR_REQUIRED = env.bool("SECOND_FACTOR_REQUIRED", default=False)

# Security

TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
SESSION_COOKIE_AGE = 12 * 60 * 60
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = not DEMO
CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SECURE_SSL_REDIRECT = not DEMO
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=0 if DEMO else 365 * 24 * 60 * 60)
SECURE_HSTS_INCLUDE_SUBDOMAINS = not DEMO
# Removal from the preload lists of browsers takes months, so this is opt-in.
SECURE_HSTS_PRELOAD = env.bool("HSTS_PRELOAD", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W021"]
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
    "DEFAULT_PARSER_CLASSES": ["training.api.authentication.StorableJson"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "training.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["training.api.authentication.AsDeclared"],
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

# Folders with amendments of regulations, in the order in which they came into force.
AMENDMENTS = env.list("SABOT_AMENDMENTS", default=[])

# Certificates

# Printed on certificates, with the address for checking them.
ISSUER_NAME = env.str("ISSUER_NAME", default="Escola de Jogo Sabot (demonstração)" if DEMO else "Sabot")
_own_address = f"http://localhost:{address()[1]}" if DEMO else f"https://{(ALLOWED_HOSTS or [''])[0]}"
PUBLIC_URL = env.str("PUBLIC_URL", default=_own_address).rstrip("/")
# A PKCS#12 file to sign PDF documents with; without one they are not signed.
CERTIFICATE_SIGNING_KEY = env.str("CERTIFICATE_SIGNING_KEY", default="")
CERTIFICATE_SIGNING_PASSWORD = env.str("CERTIFICATE_SIGNING_PASSWORD", default="")
# Whether webhooks may go to addresses in the platform's own network, and without TLS.
WEBHOOKS_INSIDE = env.bool("WEBHOOKS_INSIDE", default=False)
CHECK_RATE = env.int("CHECK_RATE", default=60)  # public checks per address and minute

# Personal data

# How many days the practice of somebody who left is kept; by default until the person is erased.
PRACTICE_KEPT_DAYS = env.int("PRACTICE_KEPT_DAYS", default=None)

# Queue and logs

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default=broker.embedded_url(VAR_DIR))
CELERY_BROKER_TRANSPORT_OPTIONS = broker.transport_options(CELERY_BROKER_URL)
CELERY_QUEUE_PREFIX = env.str("CELERY_QUEUE_PREFIX", default="")
LOGGING_CONFIG = None
logs.configure(readable=DEMO)

# Monitoring

# Who may read /metrics: clients with the token, or from one of these addresses or networks. By default nobody.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
METRICS_ADDRESSES = [ipaddress.ip_network(given) for given in env.list("METRICS_ADDRESSES", default=[])]
error_tracker.start(env.str("SENTRY_DSN", default=""))
