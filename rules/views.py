"""The public pages of the rules. They only read."""

from collections.abc import ItemsView, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from rules.comparison import MOST_COMPARED, parts_of
from rules.element_page import ElementPage
from rules.engine.content import Element
from rules.engine.item_words import armor_defense, property_phrase, weapon_damage
from rules.library import SHELVES, Library, kind_title, libraries, library_or_404
from rules.models.vocabulary import Kind, Status
from rules.search import asked, find
from rules.search_index import fold

NAMES_SHOWN = 5


def index(request: HttpRequest) -> HttpResponse:
    return render(request, "rules/index.html", {"games": _games(), "search": find("")})


def _games() -> list[dict[str, Any]]:
    return [
        {"library": library, "shelves": _shelves(library), "first_steps": _first_steps(library)}
        for library in libraries()
    ]


def _first_steps(library: Library) -> list[dict[str, Any]]:
    """The first pages for a newcomer, if the game has them."""
    words = {
        Kind.CHAPTER: "The game for newcomers, with examples.",
        Kind.TERM: "Every word of the game, in a sentence.",
    }
    counts = {kind: len(library.bundle.of_kind(kind)) for kind in words}
    return [
        {
            "title": kind_title(kind, library.bundle.kinds),
            "url": library.kind_url(kind),
            "what": what,
            "count": counts[kind],
        }
        for kind, what in words.items()
        if counts[kind]
    ]


def _shelves(library: Library) -> list[tuple[str, list[dict[str, Any]]]]:
    shelves = []
    for title, of_shelf in SHELVES.items():
        kinds = []
        for kind in (kind for kind in of_shelf if kind not in READ_WHOLE):
            found = library.bundle.offered(kind)
            if found:
                kinds.append(
                    {
                        "title": kind_title(kind, library.bundle.kinds),
                        "url": library.kind_url(kind),
                        "count": len(found),
                        "names": [element.name for element in found[:NAMES_SHOWN]],
                        "more": max(0, len(found) - NAMES_SHOWN),
                    }
                )
        if kinds:
            shelves.append((title, kinds))
    return shelves


def kind(request: HttpRequest, ruleset: str, kind: str) -> HttpResponse:
    library = library_or_404(ruleset)
    elements = library.bundle.of_kind(kind)
    if not elements:
        raise Http404("There are no rules of this kind.")
    context = {
        "library": library,
        "kind": kind,
        "title": kind_title(kind, library.bundle.kinds),
        "count": len(elements),
    }
    if page := READ_WHOLE.get(kind):
        return render(request, page, {**context, **_read_whole(library, elements)})
    table = TABLES.get(kind)
    if table is None:
        return render(request, "rules/kind.html", {**context, "sections": _sections(library, elements)})
    if not library.bundle.game.wealth.for_sale(library.bundle):
        table = tuple(column for column in table if column["key"] != "cost")
    keys = {column["key"] for column in table}
    sort = request.GET.get("sort", "")
    descending, sort = sort.startswith("-"), sort.removeprefix("-")
    rows = [{"element": element, "url": library.url(element.ref), **_figures(library, element)} for element in elements]
    if sort in keys:
        rows.sort(key=lambda row: row["order"][sort], reverse=descending)
    columns = [{**column, **_sorting(column["key"], sort, descending)} for column in table]
    return render(request, "rules/table.html", {**context, "keys": keys, "columns": columns, "rows": rows})


READ_WHOLE: dict[str, str] = {Kind.CHAPTER: "rules/how_to_play.html", Kind.TERM: "rules/glossary.html"}
WORDS_A_MINUTE = 230


def _read_whole(library: Library, elements: Sequence[Element]) -> dict[str, Any]:
    """The entries of a kind that is read on one page, without retired ones, and the reading time."""
    entries: list[dict[str, Any]] = [
        {"element": one, "rule": library.bundle.elements.get(one.parent)}
        for one in elements
        if one.status == Status.PUBLISHED
    ]
    by_letter: dict[str, list[dict[str, Any]]] = {}
    for entry in sorted(entries, key=lambda entry: fold(entry["element"].name)):
        by_letter.setdefault(fold(entry["element"].name)[:1].upper(), []).append(entry)
    minutes = -(-sum(len(entry["element"].text.split()) for entry in entries) // WORDS_A_MINUTE)
    return {"entries": entries, "letters": by_letter, "minutes": minutes}


def _sorting(key: str, sort: str, descending: bool) -> dict[str, str]:
    """The link of a column's header, and the column's present order as ARIA names it."""
    if key != sort:
        return {"link": key, "sorted": ""}
    return {"link": key if descending else f"-{key}", "sorted": "descending" if descending else "ascending"}


TABLES: dict[str, tuple[dict[str, Any], ...]] = {
    "weapon": (
        {"key": "name", "title": "Weapon"},
        {"key": "damage", "title": "Damage"},
        {"key": "type", "title": "Type"},
        {"key": "hands", "title": "Hands", "number": True},
        {"key": "cost", "title": "Cost"},
        {"key": "group", "title": "Group"},
    ),
    "armor": (
        {"key": "name", "title": "Armor"},
        {"key": "defense", "title": "Defense"},
        {"key": "cost", "title": "Cost"},
        {"key": "group", "title": "Group"},
    ),
}


def _figures(library: Library, element: Element) -> dict[str, Any]:
    """The cells of a weapon or armor by column key; `order` has the values that each column sorts by."""
    bundle, group = library.bundle, ""
    cost = bundle.game.wealth.CLASSES[element.cost_class] or "not for sale"
    cells: dict[str, Any] = {"cost": cost}
    order: dict[str, Any] = {"name": element.name.casefold(), "cost": (element.cost_class, element.sort)}
    if weapon := element.weapon:
        group, damage_type = bundle.elements[weapon.category].name, bundle.elements[weapon.damage_type].name
        cells |= {"damage": weapon_damage(weapon), "type": damage_type, "hands": weapon.hands}
        order |= {"damage": weapon.dice * (weapon.die + 1), "type": damage_type, "hands": weapon.hands}
    elif armor := element.armor:
        group = bundle.elements[armor.category].name
        cells["defense"] = armor_defense(armor, bundle)
        order["defense"] = (armor.base_defense, armor.ability_cap or 0)
    cells["group"], order["group"] = group, (group, element.sort)
    cells["properties"] = ", ".join(property_phrase(use, bundle) for use in element.properties)
    return {**cells, "order": order}


def _sections(library: Library, elements: Sequence[Element]) -> ItemsView[str, list[dict[str, Any]]]:
    """Cards under headings: features by origin, everything else in one list."""
    sections: dict[str, list[dict[str, Any]]] = {}
    for element in elements:
        card = {"element": element, "url": library.url(element.ref), "note": _card_note(library, element)}
        sections.setdefault(_heading(library, element), []).append(card)
    return sections.items()


def _heading(library: Library, element: Element) -> str:
    names = library.bundle.elements
    if element.kind != "feature":
        return ""
    owners = [row.owner for row in library.granted_by.get(element.ref, ())]
    for ref in (*element.groups, element.parent, *owners):
        if ref in names:
            return names[ref].name
    return "Others"


def _card_note(library: Library, element: Element) -> str:
    ref = element.key_ability or (element.parent if element.kind == "path" else "")
    return library.bundle.elements[ref].name if ref in library.bundle.elements else ""


def element(request: HttpRequest, ruleset: str, kind: str, slug: str) -> HttpResponse:
    library = library_or_404(ruleset)
    found = library.named(kind, slug)
    if found is None:
        raise Http404("There is no such rule.")
    compared = found.kind not in (*READ_WHOLE, Kind.RULES) and len(library.bundle.of_kind(found.kind)) > 1
    more = {"old_address": slug != found.slug, "comparable": compared, "offered": found.ref in library.offered_by}
    return answer_element(request, library, found, "rules/element.html", **more)


def answer_element(request: HttpRequest, library: Library, found: Element, template: str, **more: Any) -> HttpResponse:
    """The page of an element; for htmx, only the panel beside its name."""
    shown = _in_short(request, library, found) if request.htmx else _in_full(request, library, found, template, **more)
    patch_vary_headers(shown, ["HX-Request"])
    return shown


def _in_short(request: HttpRequest, library: Library, found: Element) -> HttpResponse:
    """The panel of a word in a sheet or the builder: its meaning, and a link to the rule."""
    of_term = found.kind == Kind.TERM and found.parent in library.bundle.elements
    context = {"element": found, "rule_url": library.url(found.parent if of_term else found.ref)}
    return render(request, "rules/element_panel.html", context)


def _in_full(request: HttpRequest, library: Library, found: Element, template: str, **more: Any) -> HttpResponse:
    context = {
        "library": library,
        "element": found,
        "page": ElementPage(library, found),
        "kind_title": kind_title(found.kind, library.bundle.kinds),
        "source": library.sources[found.source],
        **more,
    }
    return render(request, template, context)


def compare(request: HttpRequest, ruleset: str, kind: str) -> HttpResponse:
    """Up to three entries of a kind side by side: the first ones asked for."""
    library = library_or_404(ruleset)
    offered = library.bundle.of_kind(kind)
    if not offered or kind in READ_WHOLE:
        raise Http404("There is nothing to compare of this kind.")
    slugs = list(dict.fromkeys(slug for slug in request.GET.getlist("entry") if slug))
    by_slug = {slug: library.named(kind, slug) for slug in slugs[:9]}
    compared = list({found.slug: found for found in by_slug.values() if found})[:MOST_COMPARED]
    elements = [library.bundle.elements[f"{kind}:{slug}"] for slug in compared]
    context = {
        "library": library,
        "kind": kind,
        "title": kind_title(kind, library.bundle.kinds),
        "columns": [{"element": one, "url": library.url(one.ref)} for one in elements],
        "parts": parts_of(library, elements),
        "gone": [slug for slug, found in by_slug.items() if not found],
        "too_many": len(slugs) > MOST_COMPARED,
        "fields": [
            {"number": at + 1, "chosen": elements[at].slug if at < len(elements) else ""} for at in range(MOST_COMPARED)
        ],
        "offered": offered,
    }
    return render(request, "rules/compare.html", context, status=404 if context["gone"] else 200)


def search(request: HttpRequest) -> HttpResponse:
    found = find(**asked(request.GET))
    context = {"search": found, "games": [] if found.asked else _games()}
    template = "rules/search_results.html" if request.htmx else "rules/search.html"
    response = render(request, template, context)
    response["Vary"] = "HX-Request"
    if request.htmx:
        response["HX-Replace-Url"] = f"{request.path}?{found.address}".removesuffix("?")
    return response
