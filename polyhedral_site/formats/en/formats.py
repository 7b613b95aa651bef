"""Days before months and hours of 24, also where Django writes them by itself: in the admin."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j M Y, H:i"  # short enough for a column
