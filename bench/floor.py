"""The floor: the least Django that still does the job.

These are its settings. *page* is one indexed SELECT and a template of 3 KB with a loop of twenty rows. *bump* is a POST
with CSRF, one UPDATE in a transaction and a fragment of 1 KB. Same server, same kind of database, same run as the
figures measured against it.
"""

import os
from pathlib import Path

from polyhedral_site import environment

HOST, PORT, WEB_PROCESSES = "127.0.0.1", int(os.environ["PORT"]), 1
TRUSTED_PROXY_COUNT = 0
DATA_DIR = Path(os.environ["DATA_DIR"])
SECRET_KEY = "only-for-the-bench"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "bench.floor_views"
INSTALLED_APPS = ["bench"]
MIDDLEWARE = ["whitenoise.middleware.WhiteNoiseMiddleware", "django.middleware.csrf.CsrfViewMiddleware"]
DATABASES = {"default": environment.database(os.environ["DATABASE_URL"])}
STATIC_URL = "/static/"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [Path(__file__).parent / "templates"],
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    },
]
