"""The regions of a sheet as HTML: drawn once for each version of the character, then kept."""

from collections.abc import Callable, Hashable

from django.template.loader import render_to_string

from characters import kept


def body(request, context: dict, more: Callable[[], dict], *, beside: Hashable = None, keep: bool = True) -> str:
    """`more` answers what only the drawing needs, `beside` is what it shows that is not of this character.

    A page that shows a refusal is drawn for itself (`keep` false).
    """
    character, bundle = context["character"], context["bundle"]
    template = f"{bundle.ruleset}/sheet/regions.html"

    def draw(own: dict) -> str:
        return render_to_string(template, context | more() | own, request)

    if not keep:
        return draw({})
    # The moment tells two histories of one version apart, after a backup is put back.
    stamp = (character.version, character.changed_at, bundle.revision, beside)
    # A secret roll is shown to whoever made it, so each reader has a part of their own.
    name = (character.pk, context["base"], request.user.pk)
    return kept.sent(kept.part(name, stamp, draw), request)
