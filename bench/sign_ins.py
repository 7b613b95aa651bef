"""A character is hit while thirty people sign in at the same moment: the time that the hit waits.

Checking a password takes a third of a second of processor time, and a sign-in writes. Neither may hold up the table.
"""

import http.client
import threading
import time
from statistics import median

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User

from .figures import judged, told
from .server_load import TOKEN, Turn, posted
from .table_actions import Player

PEOPLE, ROUNDS, EVERY, MOST = 30, 3, 0.02, 0.1
PASSWORD = "lanterns over the weir"


@told(f"a hit while {PEOPLE} people sign in at once")
def hit_among_sign_ins(host):
    made_accounts()
    player, waits = Player(host, 30), []
    for _ in range(ROUNDS):
        entering = [threading.Thread(target=sign_in, args=(host, number)) for number in range(PEOPLE)]
        for one in entering:
            one.start()
        while any(one.is_alive() for one in entering):
            began = time.perf_counter()
            answer = player.change()
            waits.append(time.perf_counter() - began)
            assert answer.status_code == 200, answer
            time.sleep(EVERY)
        for one in entering:
            one.join()
    most = max(waits)
    return judged(
        f"{len(waits)} hits, {median(waits) * 1000:.0f} ms at the median, {most * 1000:.0f} ms at most, "
        f"which may be {MOST * 1000:.0f}",
        most > MOST,
    )


def made_accounts():
    password = make_password(PASSWORD)
    for number in range(PEOPLE):
        name = f"enters-{number}"
        user = User.objects.create(username=name, email=f"{name}@example.com", password=password)
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)


def sign_in(host, number):
    """Sign in from a separate address for each person, as for real visitors."""
    turn = Turn(host)
    turn.link = http.client.HTTPConnection(
        "127.0.0.1", host.port, timeout=60, source_address=(f"127.0.1.{number + 1}", 0)
    )
    form = {"login": f"enters-{number}", "password": PASSWORD}
    answer = turn.ask(posted("/accounts/login/", {"Cookie": f"csrftoken={TOKEN}"}, form))
    assert answer.status_code == 302, answer.status_code
