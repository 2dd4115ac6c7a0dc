"""Settings of the site, read from the environment and from `.env`; `.env.example` names every one."""

from pathlib import Path
from urllib.parse import urlsplit

import django_stubs_ext
from csp.constants import NONE, SELF
from django.contrib.messages import constants as messages

from evaluation.config.backends.blob_storage import blob_storage
from evaluation.config.default_rates import DEFAULT_RATES
from evaluation.config.environment import kept_secret_key, site_environment
from evaluation.config.monitoring.logs import logging_settings
from evaluation.config.queues import REDELIVERY, ROUTES, SCHEDULE
from evaluation.config.sign_in_providers import enabled_providers, provider_apps, provider_settings
from evaluation.running.hosting.addresses import (
    EMBEDDED_WEB,
    begin_with,
    django_database,
    embedded_broker_url,
    embedded_database_url,
    is_public_host,
)
from trackside.rates import read_rates

django_stubs_ext.monkeypatch()  # makes Django classes such as ModelAdmin subscriptable

CODE = Path(__file__).resolve().parents[2]
# The folder with .env and var: the working copy, or, for an installed package, the current folder.
ROOT = CODE if (CODE / "manage.py").is_file() else Path.cwd()
env = site_environment(ROOT)

# Everything that the site writes is in one folder.
TRACKSIDE_VAR = (ROOT / env.text("TRACKSIDE_VAR", "var")).resolve()

# --- The public address. https enables secure cookies, the redirect from http and HSTS.
SITE_URL = env.text("SITE_URL", "http://127.0.0.1:8000").rstrip("/")
SITE_HOST = urlsplit(SITE_URL).hostname or ""
IS_HTTPS = SITE_URL.startswith("https://")
DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = env.text("SECRET_KEY") or kept_secret_key(TRACKSIDE_VAR / "secret-key")
# Health checks call the loopback address; links in mails use SITE_URL, never the Host header.
ALLOWED_HOSTS = [SITE_HOST, "127.0.0.1", "localhost", "[::1]", *env.words("ALLOWED_HOSTS")]
CSRF_TRUSTED_ORIGINS = [SITE_URL] if IS_HTTPS else []

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(health|live|ready|metrics|upload-check)$"]
SECURE_HSTS_SECONDS = env.count("HSTS_SECONDS", default=31_536_000) if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_HTTPS
BEHIND_PROXY = env.flag("BEHIND_PROXY", default=False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = 1  # rate limits count the client's address, not the proxy's
# HSTS preload binds a whole domain for years, so only its owner can decide it.
SILENCED_SYSTEM_CHECKS = ["security.W021"]

# --- Sign-in providers, each enabled by its client id.
SIGN_IN_PROVIDERS = enabled_providers(env)

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "worker-src": [SELF],
        # The response to a sign-in form redirects to the provider, and browsers check both addresses.
        "form-action": [SELF, *(provider.origin for provider in SIGN_IN_PROVIDERS)],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# --- Apps and pages
INSTALLED_APPS = [
    "evaluation.config.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    *provider_apps(SIGN_IN_PROVIDERS),
    "django_htmx",
    "pghistory",
    "pgtrigger",
    "evaluation.apps.EvaluationConfig",
    "assessment.apps.AssessmentConfig",
    "judges.apps.JudgesConfig",
    "evaluation.config.apps.ConfigConfig",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "evaluation.platform.web.middleware.PageCompression",
    "csp.middleware.CSPMiddleware",
    "evaluation.platform.web.middleware.ApiAnswers",
    "evaluation.platform.web.middleware.without_nul",
    "evaluation.platform.web.middleware.with_sound_parts",
    "evaluation.platform.web.middleware.private_by_default",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "evaluation.platform.access.languages.ReaderLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "evaluation.config.uploads.CheckedBodies",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "pghistory.middleware.HistoryMiddleware",
    "evaluation.platform.web.middleware.SecondFactorRequired",
    "evaluation.platform.web.middleware.Conflicts",
    "evaluation.tracks.read_only.ArchivedTracks",
]
ROOT_URLCONF = "evaluation.config.urls"
WSGI_APPLICATION = "evaluation.config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [CODE / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "evaluation.config.backends.templates.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "evaluation.platform.access.site_mail.site_mail",
            ],
        },
    }
]
AUTH_USER_MODEL = "evaluation.User"
AUTHENTICATION_BACKENDS = ["evaluation.config.backends.accounts.Accounts"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
SESSION_ENGINE = "evaluation.config.backends.sessions"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}Validator"}
    for name in ("UserAttributeSimilarity", "MinimumLength", "CommonPassword", "NumericPassword")
]
# django-allauth handles accounts; people sign in with their e-mail address.
ACCOUNT_ADAPTER = "evaluation.platform.access.accounts.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SIGNUP_FORM_CLASS = "evaluation.platform.access.forms.PersonNameForm"
ACCOUNT_FORMS = {
    "login": "evaluation.platform.access.accounts.SignInForm",
    "signup": "evaluation.platform.access.accounts.SignUpForm",
    "reset_password": "evaluation.platform.access.accounts.ResetForm",
    "add_email": "evaluation.platform.access.accounts.AddressForm",
}
# A code, not a link, so that people continue in the same browser, to the page they wanted.
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 3600  # seconds; mail can be slow
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_CHANGE_EMAIL = True  # one address per account; a verified new one replaces the old one
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USER_DISPLAY = str
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Trackside"
MFA_RECOVERY_CODES_SHOW_ONCE = True  # their hashes are stored
IS_SECOND_FACTOR_REQUIRED = env.flag("SECOND_FACTOR", default=is_public_host(SITE_HOST))
_FACTOR = "evaluation.platform.access.second_factor"
MFA_ADAPTER = f"{_FACTOR}.SecondFactorAdapter"
MFA_FORMS = {"authenticate": f"{_FACTOR}.CodeForm", "reauthenticate": f"{_FACTOR}.CodeAgainForm"}
SOCIALACCOUNT_ADAPTER = "evaluation.platform.access.linked_accounts.LinkedAccountAdapter"
SOCIALACCOUNT_PROVIDERS = provider_settings(SIGN_IN_PROVIDERS)
# Levels of messages as classes of the admin's and our style sheets.
MESSAGE_TAGS = {messages.SUCCESS: "success ok", messages.WARNING: "warning warn", messages.ERROR: "error bad"}
# An uploaded run file, packed or not.
MAX_UPLOAD_BYTES = env.count("MAX_UPLOAD_MIB", default=64) * 2**20
# A collection, topics, baselines or qrels that an organizer uploads.
MAX_IMPORT_BYTES = env.count("MAX_IMPORT_MIB", default=4096) * 2**20
# Prometheus sends this token to read /metrics; if it is empty, nobody can.
METRICS_TOKEN = env.text("METRICS_TOKEN")
CURRENCY = env.text("CURRENCY")
# RATES in the environment replaces any of the default rate limits, as "upload=500/h, api=10000/5m".
RATES = read_rates(DEFAULT_RATES, env.words("RATES"))
# Quotas of one person: teams in a track (created or joined), usable tokens, and bytes of run files over all
# their teams.
MAX_TEAMS = env.count("MAX_TEAMS", default=5)
MAX_TOKENS = env.count("MAX_TOKENS", default=50)
MAX_STORED_BYTES = env.count("MAX_STORED_GIB", default=20) * 2**30
# Default ceiling of a track's total cost on the site's paid keys, in the currency of the price table; the
# staff can set another per track.
TRACK_CEILING_MICROS = env.count("TRACK_CEILING", default=100) * 10**6
# Only the site's account can read blobs, regardless of the umask.
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700
# Discard partial uploads.
FILE_UPLOAD_HANDLERS = [
    "evaluation.platform.web.refused_requests.WholeUploadHandler",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
# Pages of assessors and accounts, and their mails, are in all these languages; other pages are in the first.
LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [CODE / "evaluation" / "locale"]
FORMAT_MODULE_PATH = "evaluation.config.formats"
USE_TZ = True
TIME_ZONE = "UTC"

# wsgi.py runs collectstatic at its start; with DEBUG, whitenoise serves the apps' own files instead.
STATIC_URL = "/static/"
STATIC_ROOT = None if DEBUG else TRACKSIDE_VAR / "static"

PGHISTORY_CREATED_AT_FUNCTION = "CLOCK_TIMESTAMP()"  # changes of one transaction keep their order
PGHISTORY_MIDDLEWARE_METHODS = ("POST", "PUT", "PATCH", "DELETE")  # the other methods change nothing

# --- State: PostgreSQL, the queue, the blobs
HAS_EMBEDDED_DATABASE, HAS_EMBEDDED_QUEUE = not env.text("DATABASE_URL"), not env.text("BROKER_URL")
DATABASE_URL = env.text("DATABASE_URL", embedded_database_url(TRACKSIDE_VAR, EMBEDDED_WEB))
DATABASES = {"default": django_database(DATABASE_URL) | {"CONN_HEALTH_CHECKS": True}}
# The role that migrates and owns the tables; with two roles, web and workers use the other.
DATABASE_OWNER = django_database(
    embedded_database_url(TRACKSIDE_VAR)
    if HAS_EMBEDDED_DATABASE
    else env.text("DATABASE_OWNER_URL", DATABASE_URL)
)
begin_with(DATABASES["default"]["OPTIONS"], "jit=off")  # compilation takes longer than our statements
if DATABASE_POOL_SIZE := env.count("DATABASE_POOL_SIZE", default=8):
    DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 1, "max_size": DATABASE_POOL_SIZE, "timeout": 10}
DATABASE_POOLER_URL = env.text("DATABASE_POOLER_URL")  # only web processes use it
STATEMENT_SECONDS = env.count("STATEMENT_SECONDS", default=30)
# Counters of rate limits. They are in the database, so that all web processes and machines share them and
# restarts keep them; only sign-in, sign-up and password pages use them. A migration creates the table.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        # With Django's default of 300, an attacker could evict other counters by making 300 entries.
        "OPTIONS": {"MAX_ENTRIES": 50_000},
    },
    # Rendered page fragments, in the memory of each process, so that new code starts with an empty cache.
    "pages": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 64}},
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
STORAGES = {
    "default": blob_storage(env, TRACKSIDE_VAR / "blobs"),
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "evaluation.config.backends.static_files.HashedFiles"
    },
}

# --- Celery: no result backend, because our tables hold the state. A task may run twice; none may be lost.
CELERY_BROKER_URL = env.text("BROKER_URL", embedded_broker_url(TRACKSIDE_VAR))
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True  # acks_late alone loses the task of a killed pool child
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 120.0  # seconds until a child that does not start is killed; not 4
CELERY_WORKER_AUTOSCALER = "evaluation.config.autoscaling:SteadyAutoscaler"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Reconnect, do not exit, when RabbitMQ closes a channel that held a message beyond `consumer_timeout`.
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
CELERY_BROKER_TRANSPORT_OPTIONS = REDELIVERY
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = ROUTES
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = SCHEDULE
CELERY_BEAT_SCHEDULER = "evaluation.config.beat:GuardedScheduler"

# --- The log
LOG_JSON = env.flag("LOG_JSON", default=IS_HTTPS)
LOGGING = logging_settings(is_json=LOG_JSON, level=env.text("LOG_LEVEL", "INFO").upper())

# --- Mail
EMAIL_HOST, EMAIL_PORT = env.text("EMAIL_HOST"), env.count("EMAIL_PORT", default=587)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 20  # seconds
OPERATOR_EMAIL = env.text("OPERATOR_EMAIL")  # is told when a backup or its rehearsal fails
EMAIL_BACKEND = "evaluation.tracks.mail.actions.OutboxBackend"  # queues mails; a worker sends them through:
MAIL_DELIVERY_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.text("DEFAULT_FROM_EMAIL", f"trackside@{SITE_HOST}")
