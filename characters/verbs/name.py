from characters.change.draft import Draft
from characters.change.journal import perform
from characters.change.text_input import clean, who
from characters.models import Change
from characters.people import Person


def rename(pk: int, person: Person, key: str, *, name: str) -> Change:
    name = clean(name, limit=80, field="name", empty="Give the character a name.")

    def act(draft: Draft) -> str:
        before = who(draft)
        draft.put("field:name", name)
        draft.check_moved("name")
        return f"{before} is now called {name}."

    return perform(pk, person, "rename", key, {"name": name}, act)
