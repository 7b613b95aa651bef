"""The rules' own words."""

from rules.models import Element


def texts_of(ruleset_id, refs):
    """The rules' own words on these elements, by ref. One query."""
    slugs = {ref.partition(":")[2] for ref in refs}
    rows = Element.objects.filter(ruleset=ruleset_id, slug__in=slugs).order_by().values_list("kind", "slug", "text")
    return {f"{kind}:{slug}": text for kind, slug, text in rows}
