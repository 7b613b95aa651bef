"""As at a level, the difference, the timeline, and house rules tried out before they are kept."""

from django.urls import path

from characters.pages.sheet.views import sheet

from . import difference, house_rules, sources, timeline

urlpatterns = [
    path("characters/<int:pk>/at/<int:level>/", sheet.sheet, name="at"),
    path("characters/<int:pk>/at/<int:level>/explain/<str:key>/", sheet.explain, name="at-explain"),
    path("characters/<int:pk>/at/<int:level>/odds/<str:key>/", sheet.odds, name="at-odds"),
    path("samples/<slug:slug>/at/<int:level>/", sheet.sheet, name="sample-at"),
    path("samples/<slug:slug>/at/<int:level>/explain/<str:key>/", sheet.explain, name="sample-at-explain"),
    path("samples/<slug:slug>/at/<int:level>/odds/<str:key>/", sheet.odds, name="sample-at-odds"),
    path("characters/<int:pk>/timeline/", timeline.timeline, name="timeline"),
    path("samples/<slug:slug>/timeline/", timeline.timeline, name="sample-timeline"),
    path("characters/<int:pk>/compare/", difference.compare, name="compare"),
    path("samples/<slug:slug>/compare/", difference.compare, name="sample-compare"),
    path("characters/<int:pk>/house-rules/", house_rules.show, name="house-rules"),
    path("characters/<int:pk>/house-rules/change/", house_rules.change, name="change-house-rules"),
    path("characters/<int:pk>/content/", sources.show, name="sources"),
    path("characters/<int:pk>/content/change/", sources.change, name="change-sources"),
]
