"""Tournaments: every pairing or seating of some agents, on all cores or on a Ray cluster, resumable after a kill.

plan.py      what will be played, fixed before the first game: pairings, deals, units of work
folder.py    a tournament on disk: the plan, a file for each finished unit
running.py   playing units here, in processes, on Ray
results.py   means with intervals over deals, ratings
report.py    CSV files, heat map, page
"""

from banquet_agents.arena.tournament.plan import MODES, Pairing, Plan, Unit, plan_tournament
from banquet_agents.arena.tournament.results import Results
from banquet_agents.arena.tournament.running import play_tournament, stored_plan

__all__ = ["MODES", "Pairing", "Plan", "Results", "Unit", "plan_tournament", "play_tournament", "stored_plan"]
