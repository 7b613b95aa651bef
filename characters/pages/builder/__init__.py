"""Making a character, step by step: the pages, and the forms that change it. No rule of a game stands here."""
