"""As at a level, the difference, the timeline, and house rules tried out before they are kept."""

from django.urls import path
from django.views.decorators.http import require_POST, require_safe

from characters.pages.sheet.views import sheet_page

from . import compare_page, timeline
from .house_rules_page import HouseRulesPage
from .sources_page import SourcesPage

urlpatterns = [
    path("characters/<int:pk>/at/<int:level>/", sheet_page.sheet, name="at"),
    path("characters/<int:pk>/at/<int:level>/explain/<str:key>/", sheet_page.explain, name="at-explain"),
    path("characters/<int:pk>/at/<int:level>/odds/<str:key>/", sheet_page.odds, name="at-odds"),
    path("samples/<slug:slug>/at/<int:level>/", sheet_page.sheet, name="sample-at"),
    path("samples/<slug:slug>/at/<int:level>/explain/<str:key>/", sheet_page.explain, name="sample-at-explain"),
    path("samples/<slug:slug>/at/<int:level>/odds/<str:key>/", sheet_page.odds, name="sample-at-odds"),
    path("characters/<int:pk>/timeline/", timeline.timeline, name="timeline"),
    path("samples/<slug:slug>/timeline/", timeline.timeline, name="sample-timeline"),
    path("characters/<int:pk>/compare/", compare_page.compare, name="compare"),
    path("samples/<slug:slug>/compare/", compare_page.compare, name="sample-compare"),
    path("characters/<int:pk>/house-rules/", require_safe(HouseRulesPage.show), name="house-rules"),
    path("characters/<int:pk>/house-rules/change/", require_POST(HouseRulesPage.change), name="change-house-rules"),
    path("characters/<int:pk>/content/", require_safe(SourcesPage.show), name="sources"),
    path("characters/<int:pk>/content/change/", require_POST(SourcesPage.change), name="change-sources"),
]
