"""Making and keeping characters. Every change is a separate POST, which returns the step that it belongs to."""

from django.urls import path

from .views import ability_ranks, answer_question, builder_steps, equipment, new_character, personality, shelf

urlpatterns = [
    path("characters/", shelf.shelf, name="list"),
    path("characters/start/", new_character.start, name="start"),
    path("characters/surprise/", new_character.surprise, name="surprise"),
    path("samples/<slug:slug>/copy/", new_character.copy_sample, name="copy-sample"),
    path("characters/<int:pk>/copy/", shelf.copy, name="copy"),
    path("characters/<int:pk>/rename/", shelf.rename, name="rename"),
    path("characters/<int:pk>/bin/", shelf.throw_away, name="bin"),
    path("characters/<int:pk>/restore/", shelf.restore, name="restore"),
    path("characters/<int:pk>/build/choose/", answer_question.choose, name="choose"),
    path("characters/<int:pk>/build/name/", builder_steps.name, name="name"),
    path("characters/<int:pk>/build/aspect/", personality.change, name="aspect"),
    path("characters/<int:pk>/build/aspects/roll/", personality.roll_missing, name="roll-aspects"),
    path("characters/<int:pk>/build/ranks/", ability_ranks.assign, name="ranks"),
    path("characters/<int:pk>/build/dice/", ability_ranks.roll, name="dice"),
    path("characters/<int:pk>/build/buy/", equipment.buy, name="buy"),
    path("characters/<int:pk>/build/outfit/", equipment.outfit, name="outfit"),
    path("characters/<int:pk>/build/item/", equipment.change, name="item"),
    path("characters/<int:pk>/build/<slug:step>/", builder_steps.build, name="build"),
]
