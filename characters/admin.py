"""The admin of sources with what it knows of characters: some keep a source from deletion, some are moved by a pack."""

from django.contrib import admin
from django.db.models import Q

from characters.models import Change
from characters.pages.packs.pack_pages import PackPages
from characters.pages.publications.preview_page import PreviewPages
from rules.admin.definitions import SourceAdmin
from rules.models import HouseRules, Source

admin.site.unregister(Source)


@admin.register(Source)
class PlayedSourceAdmin(PackPages, PreviewPages, SourceAdmin):
    def get_deleted_objects(self, objs, request):
        deleted, counts, not_allowed, protected = super().get_deleted_objects(objs, request)
        return deleted, counts, not_allowed, [*protected, *filter(None, map(why_kept, objs))]


def why_kept(source: Source) -> str:
    """The reason why the source cannot be deleted, as a sentence; "" for none."""
    if HouseRules.objects.filter(sources=source).exists():
        return f"{source} is in play: house rules name it."
    address = f"source:{source.slug}"
    named = Q(before__has_key=address) | Q(after__has_key=address)
    if Change.objects.filter(named, character__ruleset=source.ruleset_id).exists():
        return f"{source} was in play: the history of a character names it."
    return ""
