"""The pages of a character: making and keeping it, its levels, comparing, and the sheet that is played on."""
