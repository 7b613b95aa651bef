"""The sheet of a character, of the samples and by a link, the pages beside it, and an address for every action."""

from django.urls import include, path

from characters.actions.registry import action_slugs
from characters.pages.builder.views import new_character
from characters.pages.responses import unlisted

from .live_answer import run_and_answer
from .views import beside, file_transfer, introduction_views, looked_views, portrait, proposed, share, sheet_page

acting = [
    path(f"{slug}/", run_and_answer, {"name": name}, name=f"play-{slug}") for slug, name in action_slugs().items()
]

urlpatterns = [
    path("characters/<int:pk>/play/", include(acting)),
    path("characters/<int:pk>/watch/", beside.watch, name="watch"),
    path("characters/<int:pk>/proposed/", proposed.show, name="proposed"),
    path("characters/<int:pk>/proposed/<int:proposal>/", proposed.answer, name="answer-proposal"),
    path("characters/<int:pk>/glance/", beside.page, {"name": "glance"}, name="glance"),
    path("characters/<int:pk>/rest/", beside.page, {"name": "rest"}, name="rest"),
    path("characters/<int:pk>/downtime/", beside.downtime, name="downtime"),
    path("characters/<int:pk>/pool/", beside.pool, name="pool"),
    path("characters/<int:pk>/history/", beside.page, {"name": "history"}, name="history"),
    path("characters/<int:pk>/history/<int:sequence>/", beside.since, name="since"),
    path("characters/<int:pk>/rolls/", beside.page, {"name": "rolls"}, name="rolls"),
    path("characters/<int:pk>/roll/<str:key>/", beside.prepare_roll, name="prepare-roll"),
    path("characters/upload/", file_transfer.upload, name="upload"),
    path("characters/download/", file_transfer.download_all, name="download-all"),
    path("characters/<int:pk>/", sheet_page.sheet, name="sheet"),
    path("characters/<int:pk>/introduction/", introduction_views.introduction, name="introduction"),
    path("characters/<int:pk>/looked/", looked_views.seen, name="looked"),
    path("characters/<int:pk>/explain/<str:key>/", sheet_page.explain, name="explain"),
    path("characters/<int:pk>/odds/<str:key>/", sheet_page.odds, name="odds"),
    path("characters/<int:pk>/download/", file_transfer.download, name="download"),
    path("characters/<int:pk>/face/", portrait.face, name="face"),
    path("characters/<int:pk>/face/<str:digest>.webp", portrait.picture, name="picture"),
    path("characters/<int:pk>/share/", share.links, name="share"),
    path("characters/<int:pk>/share/make/", share.make, name="make-link"),
    path("characters/<int:pk>/share/<int:link>/end/", share.end, name="end-link"),
    path("shared/<slug:token>/", unlisted(sheet_page.sheet), name="shared"),
    path("shared/<slug:token>/face/<str:digest>.webp", unlisted(portrait.picture), name="shared-picture"),
    path("shared/<slug:token>/explain/<str:key>/", unlisted(sheet_page.explain), name="shared-explain"),
    path("shared/<slug:token>/odds/<str:key>/", unlisted(sheet_page.odds), name="shared-odds"),
    path("shared/<slug:token>/copy/", new_character.copy_shared, name="copy-shared"),
    path("samples/<slug:slug>/", sheet_page.sheet, name="sample"),
    path("samples/<slug:slug>/face/<str:digest>.webp", portrait.picture, name="sample-picture"),
    path("samples/<slug:slug>/explain/<str:key>/", sheet_page.explain, name="sample-explain"),
    path("samples/<slug:slug>/odds/<str:key>/", sheet_page.odds, name="sample-odds"),
    path("samples/<slug:slug>/download/", file_transfer.download, name="sample-download"),
]
