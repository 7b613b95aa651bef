"""A campaign and what belongs to it. Rows change only through `campaigns.verbs`, which lock the campaign."""

from .campaign import Campaign
from .campaign_note import CampaignNote, Reveal
from .campaign_rules import CampaignRules, RuleException
from .campaign_terms import CampaignTerms
from .device_link import DeviceLink
from .encounter import Combatant, Condition, Creature, CreatureRoll, Encounter, Hit, Screen, Turn
from .joint import Joint
from .member import Invite, Member
from .pairing import Agreement, Pairing
from .party_act import PartyAct
from .pooled_purchase import Purchase, Share
from .rolled_set import RolledSet
from .seat import Seat, Sitting
from .session_date import DateSeen, SessionDate
from .session_mark import SessionMark
from .table_homebrew import TableHomebrew

__all__ = [
    "Agreement",
    "Campaign",
    "CampaignNote",
    "CampaignRules",
    "CampaignTerms",
    "Combatant",
    "Condition",
    "Creature",
    "CreatureRoll",
    "DateSeen",
    "DeviceLink",
    "Encounter",
    "Hit",
    "Invite",
    "Joint",
    "Member",
    "Pairing",
    "PartyAct",
    "Purchase",
    "Reveal",
    "RolledSet",
    "RuleException",
    "Screen",
    "Seat",
    "Sitting",
    "SessionDate",
    "SessionMark",
    "TableHomebrew",
    "Share",
    "Turn",
]
