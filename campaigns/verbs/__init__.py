"""Everything that may happen to a campaign. A verb locks the campaign, checks who is asking, and writes; or it raises
`Refused`."""
