"""A character beside itself or another: as at a level, level to level, over time, under other house rules."""
