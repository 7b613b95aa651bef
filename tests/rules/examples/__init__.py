"""The worked examples of the rules, by their ids, through the engine."""
