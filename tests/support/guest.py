"""A visitor of the real site."""

import re
import secrets
from urllib.parse import urlencode


class Guest:
    """A visitor with a character, as a browser without script."""

    def __init__(self, site):
        self.site, self.cookies = site, {}
        self.ask("GET", "/")
        start = re.search(r'action="(/characters/[^"]*)"', self.ask("GET", "/")[2])[1]
        _, headers, _ = self.post(start, key=secrets.token_hex(8))
        self.character = re.match(r"/characters/\d+/", headers["Location"])[0]

    def ask(self, method, path, body=None, **headers):
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = self.site.ask(method, path, body, headers)
        for cookie in answer[1].get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer

    def post(self, path, **fields):
        body = urlencode({"csrfmiddlewaretoken": self.cookies["csrftoken"], **fields})
        return self.ask("POST", path, body, **{"Content-Type": "application/x-www-form-urlencoded"})

    def sign_up(self, name):
        address, password = f"{name}@example.com", "a long enough password"
        self.ask("GET", "/accounts/signup/")
        return self.post("/accounts/signup/", username=name, email=address, password1=password)[0]

    def rename(self, name, number=0):
        return self.post(f"{self.character}rename/", name=name, key=f"a key for this {number}")
