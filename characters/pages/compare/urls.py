"""As at a level, the difference, the timeline, and house rules tried out before they are kept."""

from django.urls import path

from characters.pages.sheet.views import sheet_page

from . import compare_page, house_rules_page, sources_page, timeline

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
    path("characters/<int:pk>/house-rules/", house_rules_page.show, name="house-rules"),
    path("characters/<int:pk>/house-rules/change/", house_rules_page.change, name="change-house-rules"),
    path("characters/<int:pk>/content/", sources_page.show, name="sources"),
    path("characters/<int:pk>/content/change/", sources_page.change, name="change-sources"),
]
