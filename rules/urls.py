from django.urls import path

from . import views

app_name = "rules"
urlpatterns = [
    path("", views.index, name="index"),
    path("search/", views.search, name="search"),
    path("<slug:ruleset>/compare/<slug:kind>/", views.compare, name="compare"),  # no kind is called that
    path("<slug:ruleset>/<slug:kind>/", views.kind, name="kind"),
    path("<slug:ruleset>/<slug:kind>/<slug:slug>/", views.element, name="element"),
]
