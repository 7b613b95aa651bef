"""Making a character, step by step: the pages, and the forms that change it. The rules of the games are elsewhere."""
