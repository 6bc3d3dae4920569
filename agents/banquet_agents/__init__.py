"""Players: random, scripted, searching, trained and human, behind one batch-first interface; `arena` has matches and more."""

from banquet_agents.adapters import adapt
from banquet_agents.compiled import CompiledAgent, RandomAgent, Script
from banquet_agents.human import HumanAgent
from banquet_agents.policy import Network, NetworkShape, PolicyAgent, load_policy, save_policy
from banquet_agents.registry import agent_names, make_agent, register_scripts
from banquet_agents.search import SearchAgent, SearchSettings

__all__ = [
    "CompiledAgent",
    "HumanAgent",
    "Network",
    "NetworkShape",
    "PolicyAgent",
    "RandomAgent",
    "Script",
    "SearchAgent",
    "SearchSettings",
    "adapt",
    "agent_names",
    "load_policy",
    "make_agent",
    "register_scripts",
    "save_policy",
]
