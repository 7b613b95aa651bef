"""Making a character, step by step: the pages, and the forms that change it. The rules decide; here they are shown."""
