"""Things: bought, moved, counted, removed."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from characters import verbs
from characters.actions.act import run
from characters.pages.builder.builder_character import BuilderCharacter
from characters.pages.builder.forms import BuyForm, ItemForm
from characters.pages.builder.step_answer import answer, refuse


@require_POST
def buy(request: HttpRequest, pk: int) -> HttpResponse:
    opened, form = BuilderCharacter.at_step(request, pk, "equipment"), BuyForm(request.POST)
    posted = {"shelf": request.GET.get("shelf", ""), "bought": request.POST.get("quantity", "")[:20]}
    valid = form.is_valid()
    asked = form.cleaned_data
    ref = asked.get("ref", "")
    anchor = ref.replace(":", "-") if ref in opened.bundle.elements else "shop" if ref else "own-thing"
    if not valid:
        wrong = next(iter(form.errors))
        return refuse(request, opened, "equipment", form.first_error, anchor=anchor, field=wrong, posted=posted)
    quantity, custom = asked["quantity"] or 1, asked["custom"]
    shown: dict[str, Any] = {"anchor": anchor, "posted": {**posted, "custom": custom}}
    if ref:
        what = {"ref": ref, "quantity": quantity, "overspend": bool(asked["overspend"])}
        return answer(request, opened, "equipment", verbs.purchase, what, **shown)
    what = {"name": "add_item", "sent": {"custom": custom, "quantity": quantity}}
    return answer(request, opened, "equipment", run, what, **shown)


@require_POST
def outfit(request: HttpRequest, pk: int) -> HttpResponse:
    opened, what = BuilderCharacter.at_step(request, pk, "equipment"), {"saw": request.POST.getlist("saw")}
    posted = {"shelf": request.GET.get("shelf", "")}
    return answer(request, opened, "equipment", verbs.buy_outfit, what, anchor="shop", posted=posted)


@require_POST
def change(request: HttpRequest, pk: int) -> HttpResponse:
    opened, form = BuilderCharacter.at_step(request, pk, "equipment"), ItemForm(request.POST)
    posted = {"quantity": request.POST.get("quantity", "")[:20]}
    if not form.is_valid():
        anchor = f"thing-{form.cleaned_data['item']}" if "item" in form.cleaned_data else "things"
        wrong = next(iter(form.errors))
        return refuse(request, opened, "equipment", form.first_error, anchor=anchor, field=wrong, posted=posted)
    asked = form.cleaned_data
    item, step = asked["item"], asked["step"] or "equipment"
    name = "remove_item" if asked["remove"] else "equip" if asked["state"] else "set_quantity"
    what = {"name": name, "sent": {"item": item, "state": asked["state"], "quantity": asked["quantity"]}}
    anchor = f"thing-{item}" if step == "equipment" else "unused"
    return answer(request, opened, step, run, what, anchor=anchor, posted=posted)
