"""Who plays together: campaigns, seats, invites, the roster and what the storyteller may do."""
