"""Groups that play together: campaigns, seats, invites, the roster and the powers of the storyteller."""
