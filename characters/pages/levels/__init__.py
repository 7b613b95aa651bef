"""The level pages: a level is taken with a preview of each pick, changed, undone or planned. The rules decide."""
