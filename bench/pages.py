"""Figures of computations, and of pages that only show something."""

from django.urls import reverse
from playwright.sync_api import sync_playwright

from rules.compile import bundle_of, shared_of
from rules.engine import derive
from rules.models import Source
from rules.publications import in_force
from tests.support import chromium

from .figures import computed, judged, served, told
from .players import build_at, character, device, device_with_form
from .server_load import CONNECTIONS, Load, Request, Turn, posted
from .table_actions import Player

FIRST_VISIT = 100_000  # bytes at most


@computed("derive, level 1")
def derive_sample():
    bundle, build = build_at(1)
    return lambda: derive(bundle, build)


@computed("derive, level 30", target=1)
def derive_heavy():
    bundle, build = build_at(30)
    return lambda: derive(bundle, build)


@computed("compile the rules, cold")
def compile_rules():
    source = Source.objects.select_related("ruleset").get(slug="polyhedral-core")

    def compile_anew():
        pack = in_force(source)
        return bundle_of(pack, source.revision, shared_of(pack))

    return compile_anew


@served("sheet, level 30", target=4, queries=12)
def sheet(host):
    return Load.of(host, page("sheet"))


@served("sheet, level 30, drawn first after a change", queries=12)
def first_sheet(host):
    return Load(host, [AfterAChange(host, 30, number) for number in range(CONNECTIONS)])


class AfterAChange(Player):
    def ready(self):
        self.change()
        return Request(self.base, headers=self.headers)


@served("as at level 15 of 30", target=4, queries=12)
def as_at_a_level(host):
    return Load.of(host, page("at", level=15))


@served("as at a level, over 40 levels", against="sheet", queries=12)
def as_at_forty_levels(host):
    return Load(host, [AsAt(host, first) for first in range(CONNECTIONS)])


class AsAt(Turn):
    def __init__(self, host, first):
        super().__init__(host)
        self.requests = [page("at", 40, level=level) for level in range(1, 41)]
        self.next = first

    def ready(self):
        self.next = (self.next + CONNECTIONS) % 40
        return self.requests[self.next]


@served("a level with its three what-ifs, at level 30", target=10, queries=14)
def level_up(host):
    return Load.of(host, page("level-up"))


@served("timeline, level 30", against="sheet", queries=14)
def timeline(host):
    return Load.of(host, page("timeline"))


@served("rests, with what each would change, level 30", queries=12)
def rests(host):
    return Load.of(host, page("rest"))


@served("downtime, with what it would change, level 30", queries=12)
def downtime(host):
    asked = {"key": "k" * 32, "days": 3, "activity": "Training", "points": 1, "ranks": -1}
    return Load.of(host, posted(page("downtime").path, device_with_form(), asked))


@served("builder step, level 30", target=10)
def builder_step(host):
    return Load.of(host, page("build", step="job"))


@served("search the rules")
def search(host):
    return Load.of(host, looked_up())


def looked_up():
    return Request(reverse("rules:search") + "?q=atheltics")


@told("first visit of the sheet")
def first_visit_of_the_sheet(host):
    requests, size = first_visit(host.port, page("sheet"))
    line = f"{requests} requests, {size / 1000:.1f} KB, at most {FIRST_VISIT // 1000} KB"
    return judged(line, size > FIRST_VISIT)


def first_visit(port, request):
    """(requests, bytes received with headers) for a page and everything it loads, in a browser with an empty cache."""
    sizes = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.FLAGS)
        context = browser.new_context(viewport={"width": 1280, "height": 900}, extra_http_headers=request.headers)
        page = context.new_page()
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        page.goto(f"http://127.0.0.1:{port}{request.path}", wait_until="networkidle")
        browser.close()
    return len(sizes), sum(sizes)


def page(name, at_level=30, **arguments):
    arguments["pk"] = character(at_level).pk
    return Request(reverse(f"characters:{name}", kwargs=arguments), headers=device())
