"""Things: bought, moved, counted, removed."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from characters import verbs
from characters.actions.act import run
from characters.models import Change
from characters.pages.builder.builder_character import BuilderCharacter
from characters.pages.builder.forms import BuyForm, ItemForm
from characters.pages.builder.step_answer import answer, refuse


@require_POST
def buy(request: HttpRequest, pk: int) -> HttpResponse:
    opened, form = BuilderCharacter.playable(request, pk), BuyForm(request.POST)
    posted = {"shelf": request.GET.get("shelf", ""), "bought": request.POST.get("quantity", "")[:20]}
    valid = form.is_valid()
    asked = form.cleaned_data
    ref = asked.get("ref", "")
    anchor = ref.replace(":", "-") if ref in opened.bundle.elements else "shop" if ref else "own-thing"
    if not valid:
        wrong = next(iter(form.errors))
        return refuse(request, opened, "equipment", form.first_error, anchor=anchor, field=wrong, posted=posted)
    key, quantity = asked["key"], asked["quantity"] or 1

    def act() -> Change:
        if not ref:
            return run(pk, opened.visitor, key, "add_item", {"custom": asked["custom"], "quantity": quantity})
        overspend = bool(asked["overspend"])
        return verbs.purchase(pk, opened.visitor, key, ref=ref, quantity=quantity, overspend=overspend)

    return answer(request, opened, "equipment", act, anchor=anchor, posted={**posted, "custom": asked["custom"]})


@require_POST
def outfit(request: HttpRequest, pk: int) -> HttpResponse:
    opened, saw = BuilderCharacter.playable(request, pk), request.POST.getlist("saw")

    def act() -> Change:
        return verbs.buy_outfit(pk, opened.visitor, request.POST.get("key", ""), saw=saw)

    return answer(request, opened, "equipment", act, anchor="shop", posted={"shelf": request.GET.get("shelf", "")})


@require_POST
def change(request: HttpRequest, pk: int) -> HttpResponse:
    opened, form = BuilderCharacter.playable(request, pk), ItemForm(request.POST)
    posted = {"quantity": request.POST.get("quantity", "")[:20]}
    if not form.is_valid():
        anchor = f"thing-{form.cleaned_data['item']}" if "item" in form.cleaned_data else "things"
        wrong = next(iter(form.errors))
        return refuse(request, opened, "equipment", form.first_error, anchor=anchor, field=wrong, posted=posted)
    asked = form.cleaned_data
    key, item, step = asked["key"], asked["item"], asked["step"] or "equipment"

    def act() -> Change:
        if asked["remove"]:
            return run(pk, opened.visitor, key, "remove_item", {"item": item})
        if asked["state"]:
            return run(pk, opened.visitor, key, "equip", {"item": item, "state": asked["state"]})
        return run(pk, opened.visitor, key, "set_quantity", {"item": item, "quantity": asked["quantity"]})

    anchor = f"thing-{item}" if step == "equipment" else "unused"
    return answer(request, opened, step, act, anchor=anchor, posted=posted)
