"""The style page: every component in all its states, for people who build pages and for browser tests."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


class ExampleForm(forms.Form):
    name = forms.CharField(max_length=60, help_text="As it should stand at the head of the sheet.")
    home = forms.CharField(required=False)
    story = forms.CharField(widget=forms.Textarea, required=False)
    lamp = forms.ChoiceField(choices=[("oil", "Oil lamp"), ("storm", "Storm lantern"), ("star", "Star glass")])
    watch = forms.ChoiceField(
        choices=[("dusk", "Dusk watch"), ("dawn", "Dawn watch")], widget=forms.RadioSelect, label="Which watch"
    )
    tools = forms.MultipleChoiceField(
        choices=[("rope", "Rope"), ("chalk", "Chalk"), ("bell", "Bell")], widget=forms.CheckboxSelectMultiple
    )
    agree = forms.BooleanField(label="The others at the table know about this")


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    refused = ExampleForm({"name": "A" * 61, "lamp": "torch", "watch": "dusk"}, auto_id="refused_%s")
    steps = [
        {"name": "Origin", "url": "#step-nav", "chosen": 3, "needed": 3},
        {"name": "Ties", "url": "#step-nav", "chosen": 1, "needed": 2, "current": True},
        {"name": "Abilities", "url": "#step-nav", "chosen": 0, "needed": 6},
        {"name": "Craft", "url": "#step-nav", "chosen": 2, "needed": 2, "problem": True},
        {"name": "Gear", "url": "#step-nav", "chosen": 0, "needed": 1},
        {"name": "Review", "url": "#step-nav"},
    ]
    context = {"form": ExampleForm(), "refused": refused, "steps": steps}
    return render(request, "style_page.html", context)
