"""Levels under a character's own address. Every change is a POST; a look at what a pick would do is a GET."""

from django.urls import path

from . import can_take, gained, level_list, pick, plan_page

urlpatterns = [
    path("characters/<int:pk>/levels/", level_list.show, name="levels"),
    path("characters/<int:pk>/levels/experience/", level_list.experience, name="experience"),
    path("characters/<int:pk>/levels/milestone/", level_list.milestone, name="milestone"),
    path("characters/<int:pk>/levels/back/", level_list.take_back, name="take-back-level"),
    path("characters/<int:pk>/levels/<int:level>/", pick.change, name="change-level"),
    path("characters/<int:pk>/levels/<int:level>/drop/", level_list.drop_answer, name="drop-answer"),
    path("characters/<int:pk>/levels/gained/<int:sequence>/", gained.show, name="gained"),
    path("characters/<int:pk>/level-up/", pick.level_up, name="level-up"),
    path("characters/can-take/", can_take.choose_character, name="can-take-which"),
    path("characters/<int:pk>/can-take/", can_take.can_take, name="can-take"),
    path("characters/<int:pk>/plan/", plan_page.show, name="plan"),
    path("characters/<int:pk>/plan/forget/", plan_page.forget, name="forget-plan"),
    path("characters/<int:pk>/plan/<int:level>/", pick.plan, name="plan-level"),
    path("characters/<int:pk>/plan/<int:level>/take/", plan_page.take, name="take-planned"),
]
