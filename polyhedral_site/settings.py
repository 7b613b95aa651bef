"""Every setting comes from the environment; README lists the variables.

There are three modes: PRODUCTION=1 (no guessable defaults, HTTPS only), the plain local site that `make run` starts,
and DEBUG=1 for work on the code.
"""

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.utils.csp import CSP

from . import environment

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = environment.data_dir("DATA_DIR", BASE_DIR / "data")
PRODUCTION = environment.flag("PRODUCTION")
DEBUG = environment.flag("DEBUG") and not PRODUCTION

SECRET_KEY = (
    environment.strong_secret_key("SECRET_KEY")
    if PRODUCTION
    else os.environ.get("SECRET_KEY") or environment.local_secret_key(DATA_DIR)
)
HOST = (os.environ.get("HOST") or "127.0.0.1").strip("[]")  # some write an IPv6 address in brackets
PORT = environment.port("PORT", 8000)
# These exist only for speed. Without them, nothing differs but the time things take.
FAST_SQL = environment.flag("FAST_SQL", True)
PAGE_CACHE = environment.flag("PAGE_CACHE", True)
VERSION_CACHE = environment.flag("VERSION_CACHE", True)
WEB_PROCESSES = environment.number("WEB_PROCESSES", 1, 1, 64)
ALLOWED_HOSTS = environment.hosts("ALLOWED_HOSTS")
if PRODUCTION:
    environment.required("ALLOWED_HOSTS")
else:
    ALLOWED_HOSTS += ["localhost", "127.0.0.1", "[::1]", f"[{HOST}]" if ":" in HOST else HOST]

# Links in emails begin with SITE_URL, so that no request can choose where they lead.
NAMED = next((host for host in ALLOWED_HOSTS if host[0] not in ".*"), "")
SITE_URL = environment.site_url("SITE_URL", NAMED and (f"https://{NAMED}" if PRODUCTION else f"http://{NAMED}:{PORT}"))

INSTALLED_APPS = [
    "polyhedral_site",
    "campaigns",
    "characters",
    "rules",
    "allauth",
    "allauth.account",
    "crispy_forms",
    "django_htmx",
    "rules.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "polyhedral_site.middleware.tell_status",
    "django.middleware.security.SecurityMiddleware",
    # Before the content security policy, a header that static files do not need and that is longer than some of them.
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "polyhedral_site.middleware.compress",
    "polyhedral_site.middleware.keep_private",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "polyhedral_site.renewed.renew",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "polyhedral_site.middleware.begin_at_error",
    "polyhedral_site.middleware.explain_wrong_method",
    "polyhedral_site.middleware.keep_typed",
    "polyhedral_site.devices.remember",
    "allauth.account.middleware.AccountMiddleware",
    # Last, so that its page knows the visitor. No middleware before it reads the body.
    "polyhedral_site.middleware.limit_body",
]

ROOT_URLCONF = "polyhedral_site.urls"
STYLE_PAGE = DEBUG  # for developers

# A character's templates are those of its game, and the shared ones where the game has none.
TEMPLATE_LOADERS = ["characters.pages.game_templates.DjangoLoader", "django.template.loaders.app_directories.Loader"]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [("django.template.loaders.cached.Loader", TEMPLATE_LOADERS)],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "campaigns.views.notification_pages.in_header",
            ],
        },
    },
    # For regions, which are drawn again and again: docs/decisions/009-regions-are-jinja2.md.
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "NAME": "regions",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {"environment": "characters.pages.drawing.environment"},
    },
]
CRISPY_ALLOWED_TEMPLATE_PACKS = CRISPY_TEMPLATE_PACK = "paper"

# Data

DATABASES = {
    "default": environment.database(
        os.environ.get("DATABASE_URL") or f"sqlite:///{quote(str(DATA_DIR / 'polyhedral.sqlite3'))}",
    ),
}
# Sign-in limits are counted in the cache, so all processes must share it. It has enough rows that guesses at many names
# do not push out the counts for one.
CACHES = {
    "default": {"BACKEND": "polyhedral_site.cache.Cache", "LOCATION": "cache", "OPTIONS": {"MAX_ENTRIES": 20_000}},
}

# Pages

LANGUAGE_CODE = "en"
FORMAT_MODULE_PATH = ["polyhedral_site.formats"]
TIME_ZONE = environment.time_zone("TIME_ZONE", "UTC")  # decides when a day starts, and all times shown

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "polyhedral_site.static_files.StaticFiles",
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site uses our files; saves a header on each

# One megabyte is many times the largest character file. Above it, `limit_body` answers 413, except for pictures.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
FILE_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
# The admin's page of the core rules has over three thousand.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 6_000
DATA_UPLOAD_MAX_NUMBER_FILES = 40  # a pack has 30 at most

# Safety

SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
CSRF_FAILURE_VIEW = "polyhedral_site.errors.stale_form"
CSRF_TRUSTED_ORIGINS = environment.origins("CSRF_TRUSTED_ORIGINS")
# In production there must be a proxy, since this server speaks no HTTPS. Without one, pages would redirect to
# themselves.
TRUSTED_PROXY_COUNT = environment.number("TRUSTED_PROXY_COUNT", 1 if PRODUCTION else 0, most=10)
if TRUSTED_PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
if PRODUCTION:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = environment.number("HSTS_SECONDS", 60 * 60 * 24 * 365)
    # Getting off the browsers' preload list is hard, and subdomains may belong to others.
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = environment.flag("HSTS_PRELOAD")
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# Accounts

SESSION_ENGINE = "polyhedral_site.signed_in"
AUTHENTICATION_BACKENDS = ["polyhedral_site.signed_in.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "polyhedral_site.passwords.LongEnough", "OPTIONS": {"min_length": 10}},
    {"NAME": "polyhedral_site.passwords.NothingOfYours"},
    {"NAME": "polyhedral_site.passwords.NotCommon"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "characters:list", "/"
ACCOUNT_ADAPTER = "polyhedral_site.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_VALIDATORS = "polyhedral_site.accounts.USERNAME_VALIDATORS"
ACCOUNT_FORMS = {
    "signup": "polyhedral_site.accounts.SignUpForm",
    "add_email": "polyhedral_site.accounts.AddressForm",
    "reset_password": "polyhedral_site.accounts.AskForLinkForm",
    "login": "polyhedral_site.accounts.SignInForm",
    "change_password": "polyhedral_site.accounts.NewPasswordForm",
    "reset_password_from_key": "polyhedral_site.accounts.ForgottenPasswordForm",
}
ACCOUNT_EMAIL_VERIFICATION = "optional"
# Known and unknown addresses are treated the same: each gets an email, and each can be used to sign up.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Polyhedral: "
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
# The link to reset a password signs its owner in, however often others have guessed.
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
# Wrong passwords, docs/decisions/019-wrong-passwords.md: by address, by address and name, by name, by known device.
ACCOUNT_RATE_LIMITS = {
    "login_failed": "10/m/ip,5/5m/key",
    "login_failed_name": "100/60m/key",
    "login_failed_device": "10/5m/key",
    "mail": "5/h/key",  # per kind and address
}
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if PRODUCTION else "http"

# Mail goes into a queue in the database and is sent from there (docs/decisions/020-mail.md). It is printed to the
# console unless a server is set. Production must set one, and a sender that it accepts.
DEFAULT_FROM_EMAIL = SERVER_EMAIL = environment.sender("EMAIL_FROM", "" if PRODUCTION else "polyhedral@localhost")
MAILERS: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "polyhedral_site.mail.Queue"},
    "server": {"BACKEND": "django.core.mail.backends.console.EmailBackend"},
}
if PRODUCTION or os.environ.get("EMAIL_HOST"):
    MAIL_PORT = environment.port("EMAIL_PORT", 587)
    MAILERS["server"] = {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": environment.mail_server("EMAIL_HOST"),
            "port": MAIL_PORT,
            "username": os.environ.get("EMAIL_USER", ""),
            "password": os.environ.get("EMAIL_PASSWORD", ""),
            **environment.encryption("EMAIL_TLS", MAIL_PORT),
            "timeout": 30,
        },
    }

# Logs go to the console, with the id that the error page shows, but never with typed text or the token of a link.

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "error_id": {"()": "polyhedral_site.logs.ErrorIdFilter"},
        "once_a_minute": {"()": "polyhedral_site.logs.OnceAMinute"},
        "wrong_host": {"()": "polyhedral_site.logs.WrongHost"},
    },
    "formatters": {
        "line": {
            "()": "polyhedral_site.logs.WithoutTokens",
            "fmt": "{asctime} {levelname} {name} [{error_id}] {message}",
            "style": "{",
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["error_id"]}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": ["console"], "level": "INFO", "propagate": False},
        # Errors that strangers, or a database that is away, can cause over and over.
        **dict.fromkeys(
            (
                "asyncio",
                "uvicorn.error",
                "psycopg.pool",
                "polyhedral_site.connections",
                "polyhedral_site.streams.listener",
            ),
            {"filters": ["once_a_minute"]},
        ),
        "django.security.DisallowedHost": {"filters": ["wrong_host"]},
    },
}
