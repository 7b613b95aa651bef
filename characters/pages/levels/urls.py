"""Levels under a character's own address. Every change is a POST; a look at what a pick would do is a GET."""

from django.urls import path

from . import gained, levels, pick, plan

urlpatterns = [
    path("characters/<int:pk>/levels/", levels.show, name="levels"),
    path("characters/<int:pk>/levels/experience/", levels.experience, name="experience"),
    path("characters/<int:pk>/levels/milestone/", levels.milestone, name="milestone"),
    path("characters/<int:pk>/levels/back/", levels.take_back, name="take-back-level"),
    path("characters/<int:pk>/levels/<int:level>/", pick.change, name="change-level"),
    path("characters/<int:pk>/levels/<int:level>/drop/", levels.drop_answer, name="drop-answer"),
    path("characters/<int:pk>/levels/gained/<int:sequence>/", gained.show, name="gained"),
    path("characters/<int:pk>/level-up/", pick.level_up, name="level-up"),
    path("characters/<int:pk>/plan/", plan.show, name="plan"),
    path("characters/<int:pk>/plan/forget/", plan.forget, name="forget-plan"),
    path("characters/<int:pk>/plan/<int:level>/", pick.plan, name="plan-level"),
    path("characters/<int:pk>/plan/<int:level>/take/", plan.take, name="take-planned"),
]
