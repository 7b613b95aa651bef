"""Making and keeping characters. Every change is a POST of its own, answered with the step it belongs to."""

from django.urls import path

from .views import abilities, answers, aspects, begin, items, shelf, steps

urlpatterns = [
    path("characters/", shelf.shelf, name="list"),
    path("characters/start/", begin.start, name="start"),
    path("characters/surprise/", begin.surprise, name="surprise"),
    path("samples/<slug:slug>/copy/", begin.copy_sample, name="copy-sample"),
    path("characters/<int:pk>/copy/", shelf.copy, name="copy"),
    path("characters/<int:pk>/rename/", shelf.rename, name="rename"),
    path("characters/<int:pk>/bin/", shelf.throw_away, name="bin"),
    path("characters/<int:pk>/restore/", shelf.restore, name="restore"),
    path("characters/<int:pk>/build/choose/", answers.choose, name="choose"),
    path("characters/<int:pk>/build/name/", steps.name, name="name"),
    path("characters/<int:pk>/build/aspect/", aspects.change, name="aspect"),
    path("characters/<int:pk>/build/ranks/", abilities.assign, name="ranks"),
    path("characters/<int:pk>/build/dice/", abilities.roll, name="dice"),
    path("characters/<int:pk>/build/buy/", items.buy, name="buy"),
    path("characters/<int:pk>/build/item/", items.change, name="item"),
    path("characters/<int:pk>/build/<slug:step>/", steps.build, name="build"),
]
