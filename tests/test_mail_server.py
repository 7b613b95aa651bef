"""The real site beside a mail server that is down, hangs or comes back: nobody waits, and no mail is lost."""

import contextlib
import http.cookies
import re
import secrets
import time
from urllib.parse import urlencode

from django.db import connections
from django.db.utils import ConnectionHandler
