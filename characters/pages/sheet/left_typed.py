"""A number typed into a counter of which a button was pressed instead. Without script the page comes back with it."""

from .drawn_forms import Refusal

MOST = 20  # what the field takes


def left_typed(posted) -> dict[str, str]:
    """What the address of the page says for it: the counter, and what stood in its field and was not what it showed."""
    typed = posted.get("amount", "")[:MOST]
    if not posted.get("by") or typed == posted.get("shown", typed):
        return {}
    return {"counter": posted.get("resource", ""), "typed": typed}


def typed_again(asked) -> Refusal | None:
    """The form of that counter with it, as one that was refused has what was typed; nothing was refused."""
    if not asked.get("counter"):
        return None
    form_id = f"adjust-{asked['counter']}"
    return Refusal(form_id, "", posted={"amount": asked.get("typed", "")[:MOST]}, rendered=True)
