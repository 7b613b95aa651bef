from characters.change.journal import perform
from characters.change.text_input import clean, who


def rename(pk, person, key, *, name):
    name = clean(name, limit=80, field="name", empty="Give the character a name.")

    def act(draft):
        before = who(draft)
        draft.put("field:name", name)
        return f"{before} is now called {name}."

    return perform(pk, person, "rename", key, {"name": name}, act)
