"""Roles at a table, the most powerful first, and what each may do there."""

SEE = "see"  # the table and who sits at it
TAKE_PART = "take part"  # bring a character, buy, roll what the table shares
PLAY = "play"  # take a character that was prepared, roll their own dice
RUN = "run"  # invites, people and seats
OWN = "own"  # its name, the archive and the bin
LEADS, HELPS, PLAYS = "storyteller", "co-storyteller", "player"
MAY = {
    LEADS: (SEE, TAKE_PART, RUN, OWN),
    HELPS: (SEE, TAKE_PART, RUN),
    PLAYS: (SEE, TAKE_PART, PLAY),
    "spectator": (SEE,),
}


def may(role: str, word: str) -> bool:
    return word in MAY[role]


def that_may(word: str) -> list[str]:
    return [role for role, words in MAY.items() if word in words]


def rank(role: str) -> int:
    """0 for the most powerful role."""
    return list(MAY).index(role)
