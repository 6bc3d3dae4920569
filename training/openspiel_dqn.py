"""OpenSpiel: its rl_environment, a DQN in every seat; each learns against the others as they learn.

Run: python training/openspiel_dqn.py [game] [--episodes 5000] [--folder runs/openspiel_dqn]
Needs: pip install "banquet-envs[openspiel,train]"
"""

import argparse
from pathlib import Path

import numpy as np
from open_spiel.python import rl_environment
from open_spiel.python.pytorch.dqn import DQN

from banquet_agents.arena.evaluate import markdown, strength
from banquet_agents.policy import save_policy
from banquet_envs.adapters.openspiel import openspiel_game
from banquet_training.weights import network_of


def played(env: rl_environment.Environment, agents: list[DQN]) -> list[float]:
    """One episode in which all agents learn; what each was paid."""
    step = env.reset()
    while not step.last():
        step = env.step([agents[step.observations["current_player"]].step(step).action])
    for agent in agents:
        agent.step(step)
    return env.get_state.returns()


def main() -> None:
    """Train, save the first seat's network, and say how strong it is in all seats."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", nargs="?", default="great_evening_banquet")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--episodes", type=int, default=5000)
    parser.add_argument("--matches", type=int, default=400, help="games against each scripted agent at the end")
    parser.add_argument("--folder", type=Path, default=Path("runs/openspiel_dqn"))
    args = parser.parse_args()

    env = rl_environment.Environment(openspiel_game(args.game, args.players, seed=1))
    game = env.game.rules
    agents = [
        DQN(
            seat, game.observation_size, game.num_actions, [128], replay_buffer_capacity=50_000, learning_rate=1e-3,
            optimizer_str="adam", epsilon_decay_schedule_str="linear", epsilon_decay_duration=5 * args.episodes,
            epsilon_end=0.05, seed=seat,
        )
        for seat in range(args.players)
    ]  # fmt: skip
    every = max(1, args.episodes // 10)
    for first in range(0, args.episodes, every):
        paid = np.mean([played(env, agents) for _ in range(first, min(first + every, args.episodes))], axis=0)
        print(f"{min(first + every, args.episodes)} episodes, mean returns {paid.round(2)}", flush=True)

    save_policy(args.folder, game, network_of(agents[0]._q_network), {"learner": "OpenSpiel DQN"})
    print(markdown(strength(game, f"policy:{args.folder}", games=args.matches)))


if __name__ == "__main__":
    main()
