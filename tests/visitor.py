"""A person at a browser, as far as HTTP goes: cookies kept, forms sent with their token, redirects followed."""

import re
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar

from tests.spoken import KEY, TOPIC
from training.people.demo import PASSWORD


class Visitor:
    """Signs in at a really started platform and practises there."""

    def __init__(self, base: str, email: str = "ines@sabot.example") -> None:
        self.base = base
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.post("/account/login/", login=email, password=PASSWORD)

    def get(self, path: str) -> str:
        with self.opener.open(self.base + path, timeout=20) as response:
            self.path = urllib.parse.urlsplit(response.url).path
            return str(response.read().decode())

    def post(self, path: str, form: str = "", **fields: str) -> str:
        """Send a form from the page that holds it (`form`, by default the page it is sent to)."""
        shown = self.get(form or path)
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', shown)
        assert token, f"{form or path} has no form"
        data = urllib.parse.urlencode(fields | {"csrfmiddlewaretoken": token[1]}).encode()
        request = urllib.request.Request(self.base + path, data, {"Referer": self.base + path})
        with self.opener.open(request, timeout=20) as response:
            self.path = urllib.parse.urlsplit(response.url).path
            return str(response.read().decode())

    def start_drill(self) -> str:
        """A fresh drill; returns its address."""
        self.post("/practice/start/", form="/practice/", topic=f"pt-chemin-de-fer/{TOPIC}", difficulty="2")
        return self.path

    def answer(self, drill: str) -> str:
        return self.post(drill, **{f"q.{KEY}": "Igualdade a 4"})

    def is_waiting(self, drill: str) -> bool:
        return 'class="waiting"' in self.get(drill)

    def is_graded(self, drill: str) -> bool:
        return bool(re.search("<button[^>]* data-next", self.get(drill)))
