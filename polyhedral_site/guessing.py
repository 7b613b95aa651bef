"""Limits on wrong passwords, which slow down guessers and not the owner (decision 019).

The settings have the numbers; the accounts library counts.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

from allauth.core.internal.ratelimit import Rate, apply_rate, get_cache_key, get_rates
from allauth.core.ratelimit import consume
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from . import devices

APP = "allauth.account"


class Limit(NamedTuple):
    action: str  # in ACCOUNT_RATE_LIMITS
    key: str
    minutes: int

    def reached(self, request: HttpRequest) -> bool:
        """True if the limit is reached. Reads without the library's lock, which would cost two disk writes that others
        wait for."""
        return any(not self.allowed(request, rate) for rate in get_rates(app=APP, action=self.action))

    def allowed(self, request: HttpRequest, rate: Rate) -> bool:
        counted = cache.get(get_cache_key(request, app=APP, action=self.action, rate=rate, key=self.key), [])
        return apply_rate(counted, time.time(), rate, dry_run=True)[0]


def limits(request: HttpRequest, name: str, address: str) -> list[Limit]:
    """The limits for this try. A known device has its own limit, until it has failed too often as well."""
    token = devices.token_for(request, name)
    own = Limit("login_failed_device", token, 5)
    if token and not own.reached(request):
        return [own]
    return [Limit("login_failed", f"{address} {name}", 5), Limit("login_failed_name", name, 60)]


def refuse_if_reached(request: HttpRequest, limits: Sequence[Limit]) -> None:
    # The longest wait that applies.
    reached = [limit for limit in limits if limit.reached(request)]
    if reached:
        minutes = max(limit.minutes for limit in reached)
        raise ValidationError(
            f"Too many wrong passwords. Wait {minutes} minutes and try again, or choose a new password by email "
            "(“Forgot your password?”), which signs you in at once.",
            code="too_many_login_attempts",
        )


def count(request: HttpRequest, limits: Sequence[Limit]) -> None:
    for limit in limits:
        consume(request, action=limit.action, key=limit.key)
