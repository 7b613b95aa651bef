"""Tables and who sits at them."""

from django.urls import path

from .views import table

app_name = "campaigns"
urlpatterns = [
    path("campaigns/", table.mine, name="list"),
    path("campaigns/begin/", table.begin, name="begin"),
    path("campaigns/<int:campaign>/", table.show, name="campaign"),
    path("campaigns/<int:campaign>/settings/", table.settings, name="settings"),
    path("campaigns/<int:campaign>/archive/", table.archive, name="archive"),
    path("campaigns/<int:campaign>/bin/", table.throw_away, name="bin"),
    path("campaigns/<int:campaign>/restore/", table.restore, name="restore"),
]
