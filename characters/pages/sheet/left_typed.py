"""Text in a counter's field when one of its buttons was pressed instead. Without script, the next page fills it in
again."""

from collections.abc import Mapping

from .drawn_forms import Refusal

MOST = 20  # characters that the field takes


def left_typed(posted: Mapping[str, str]) -> dict[str, str]:
    """Parameters for the page's address: the counter, and the text in its field if that was changed."""
    typed = posted.get("amount", "")[:MOST]
    if not posted.get("by") or typed == posted.get("shown", typed):
        return {}
    return {"counter": posted.get("resource", ""), "typed": typed}


def typed_again(asked: Mapping[str, str]) -> Refusal | None:
    """A Refusal without a sentence: nothing was refused, but it puts the text back into the counter's form."""
    if not asked.get("counter"):
        return None
    form_id = f"adjust-{asked['counter']}"
    return Refusal(form_id, "", posted={"amount": asked.get("typed", "")[:MOST]}, rendered=True)
