"""Settings of the site, read from the environment and from `.env`; `.env.example` names every one."""

from pathlib import Path
from urllib.parse import urlsplit

import django_stubs_ext
from csp.constants import NONE, SELF
from django.contrib.messages import constants as messages

from evaluation.config.addresses import django_database, embedded_broker_url, embedded_database_url
from evaluation.config.blob_storage import blobs_in_bucket, blobs_in_folder
from evaluation.config.environment import site_environment
from evaluation.config.logs import logging_settings
from evaluation.config.secret_key import kept_secret_key
from evaluation.config.sign_in_providers import Provider, provider_apps, provider_settings

django_stubs_ext.monkeypatch()  # lets classes of Django's such as ModelAdmin take their type in brackets

ROOT = Path(__file__).resolve().parents[2]
env = site_environment(ROOT)

# Everything that the site writes lies in one folder.
TRACKSIDE_VAR = (ROOT / env.text("TRACKSIDE_VAR", "var")).resolve()

# --- The address that people use. https switches on everything that only works there.
SITE_URL = env.text("SITE_URL", "http://127.0.0.1:8000").rstrip("/")
SITE_HOST = urlsplit(SITE_URL).hostname or ""
IS_HTTPS = SITE_URL.startswith("https://")
DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = env.text("SECRET_KEY") or kept_secret_key(TRACKSIDE_VAR / "secret-key")
# Health checks ask on the loopback; links in mails are built from SITE_URL, never from the Host header.
ALLOWED_HOSTS = [SITE_HOST, "127.0.0.1", "localhost", "[::1]", *env.words("ALLOWED_HOSTS")]
CSRF_TRUSTED_ORIGINS = [SITE_URL] if IS_HTTPS else []

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health$"]
SECURE_HSTS_SECONDS = env.count("HSTS_SECONDS", default=31_536_000) if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_HTTPS
if env.flag("BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = 1  # whom to count against a rate limit is the address before the proxy's
# HSTS preload binds a whole domain for years: its owner's decision, not a site's.
SILENCED_SYSTEM_CHECKS = ["security.W021"]

# --- Signing in through others, each only where it has a client id.
SIGN_IN_PROVIDERS = [
    Provider(
        "openid_connect",
        client_id=env.text("OIDC_CLIENT_ID"),
        secret=env.text("OIDC_CLIENT_SECRET"),
        address=env.text("OIDC_SERVER_URL"),
        name=env.text("OIDC_NAME", "your organization"),
    ),
    Provider(
        "orcid",
        client_id=env.text("ORCID_CLIENT_ID"),
        secret=env.text("ORCID_CLIENT_SECRET"),
        address="https://orcid.org",
        name="ORCID",
    ),
    Provider(
        "github",
        client_id=env.text("GITHUB_CLIENT_ID"),
        secret=env.text("GITHUB_CLIENT_SECRET"),
        address="https://github.com",
        name="GitHub",
    ),
]
SIGN_IN_PROVIDERS = [provider for provider in SIGN_IN_PROVIDERS if provider.client_id]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        # A form that leads to a provider is answered by a redirect there, and browsers ask for both.
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
    "csp",
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
    "csp.middleware.CSPMiddleware",
    "evaluation.api.answers.ApiAnswers",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "pghistory.middleware.HistoryMiddleware",
]
ROOT_URLCONF = "evaluation.config.urls"
WSGI_APPLICATION = "evaluation.config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
AUTH_USER_MODEL = "evaluation.User"
AUTHENTICATION_BACKENDS = ["evaluation.config.accounts.Accounts"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
SESSION_ENGINE = "evaluation.config.sessions"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
# Accounts are django-allauth's; the address is the name one signs in with.
ACCOUNT_ADAPTER = "evaluation.forms.account_adapter.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SIGNUP_FORM_CLASS = "evaluation.forms.person_name.PersonNameForm"
ACCOUNT_FORMS = {
    "login": "evaluation.forms.signing_in.SignInForm",
    "signup": "evaluation.forms.signing_in.SignUpForm",
    "reset_password": "evaluation.forms.signing_in.ResetForm",
    "add_email": "evaluation.forms.signing_in.AddressForm",
}
# A code, not a link: it goes on in the browser that one began in, to the page that one came for.
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 3600  # seconds; some mail takes its time
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_CHANGE_EMAIL = True  # one address an account; a new one takes the old one's place once verified
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_USER_DISPLAY = str
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Trackside"
SOCIALACCOUNT_ADAPTER = "evaluation.forms.account_adapter.LinkedAccountAdapter"
SOCIALACCOUNT_PROVIDERS = provider_settings(SIGN_IN_PROVIDERS)
# Levels of messages in the words of the admin and of our style sheet.
MESSAGE_TAGS = {messages.SUCCESS: "success ok", messages.WARNING: "warning warn", messages.ERROR: "error bad"}
# An uploaded run file, packed or not.
MAX_UPLOAD_BYTES = env.count("MAX_UPLOAD_MIB", default=64) * 2**20
# A collection, topics, baselines or qrels that an organizer brings.
MAX_IMPORT_BYTES = env.count("MAX_IMPORT_MIB", default=4096) * 2**20
# Of a broken connection nothing is kept.
FILE_UPLOAD_HANDLERS = [
    "evaluation.config.whole_upload.WholeUploadHandler",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
LANGUAGE_CODE = "en-gb"
USE_TZ = True
TIME_ZONE = "UTC"

# whitenoise serves the apps' own files, so there is no collecting step to forget.
STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True

PGHISTORY_CREATED_AT_FUNCTION = "CLOCK_TIMESTAMP()"  # changes of one transaction keep their order
PGHISTORY_MIDDLEWARE_METHODS = ("POST", "PUT", "PATCH", "DELETE")  # the others change nothing

# --- State: PostgreSQL, the queue, the blobs
HAS_EMBEDDED_DATABASE = not env.text("DATABASE_URL")
HAS_EMBEDDED_QUEUE = not env.text("BROKER_URL")
DATABASES = {"default": django_database(env.text("DATABASE_URL", embedded_database_url(TRACKSIDE_VAR)))}
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
if DATABASE_POOL_SIZE := env.count("DATABASE_POOL_SIZE", default=8):
    DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 1, "max_size": DATABASE_POOL_SIZE, "timeout": 10}
# What rate limits count. In the database, so that they hold for all web processes and machines together and
# outlive a restart; only sign-in, sign-up and password pages ask it. A migration makes the table.
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"},
    # Parts of pages as rendered, in each process's own memory: a new version of the code begins with none.
    "pages": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 64}},
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
S3_BUCKET = env.text("S3_BUCKET")
STORAGES = {
    "default": blobs_in_bucket(
        S3_BUCKET,
        endpoint=env.text("S3_ENDPOINT_URL"),
        region=env.text("S3_REGION"),
        key=env.text("S3_ACCESS_KEY_ID"),
        secret=env.text("S3_SECRET_ACCESS_KEY"),
    )
    if S3_BUCKET
    else blobs_in_folder(TRACKSIDE_VAR / "blobs"),
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

# --- Celery: no result backend, our tables are the truth. A task may run twice, none may be lost.
CELERY_BROKER_URL = env.text("BROKER_URL", embedded_broker_url(TRACKSIDE_VAR))
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True  # acks_late alone loses the task of a killed pool child
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,  # seconds; a longer task runs twice
    # kombu sweeps every interval x throttle seconds; its default of 10 x 10 delays redelivery by 100 s.
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
}
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {
    "judges.run_*": {"queue": "judges"},  # models; sweeping and finishing never wait behind one
    "evaluation.run_import": {"queue": "long"},  # minutes each: no verdict on a run waits behind them
    "evaluation.compute_*": {"queue": "long"},
    "*.mail_*": {"queue": "mail"},
}
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "evaluation.sweep_runs": {
        "task": "evaluation.sweep_runs",
        "schedule": 30.0,
        "options": {"expires": 30.0},
    },
    "evaluation.sweep_imports": {
        "task": "evaluation.sweep_imports",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "evaluation.mail_send": {"task": "evaluation.mail_send", "schedule": 60.0, "options": {"expires": 60.0}},
    "evaluation.mail_dates": {
        "task": "evaluation.mail_dates",
        "schedule": 300.0,
        "options": {"expires": 300.0},
    },
    "judges.sweep_jobs": {"task": "judges.sweep_jobs", "schedule": 10.0, "options": {"expires": 10.0}},
}

CELERY_BEAT_SCHEDULER = "evaluation.config.beat:GuardedScheduler"

# --- The log
LOG_JSON = env.flag("LOG_JSON", default=IS_HTTPS)
LOGGING = logging_settings(is_json=LOG_JSON, level=env.text("LOG_LEVEL", "INFO").upper())

# --- Mail
EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_PORT = env.count("EMAIL_PORT", default=587)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 20  # seconds
EMAIL_BACKEND = "evaluation.config.mail_backend.OutboxBackend"  # keeps mails, for a worker to send by this:
MAIL_DELIVERY_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.text("DEFAULT_FROM_EMAIL", f"trackside@{SITE_HOST}")
