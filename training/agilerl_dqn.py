"""AgileRL: a DQN with masks over many games in lock-step, against named opponents.

Run: python training/agilerl_dqn.py [game] [--steps 200000] [--opponents greedy] [--folder runs/agilerl_dqn]
Needs: pip install "banquet-envs[agilerl]" in an environment of its own (docs/ecosystem.md)

AgileRL's loops take Gymnasium's vector environments and read the masks from `infos["action_mask"]`. Its multi-agent classes are for
environments in which all agents act at once.
"""

import argparse
from pathlib import Path

import gymnasium
import numpy as np
from agilerl.algorithms.dqn import DQN
from agilerl.components.data import Transition
from agilerl.components.replay_buffer import ReplayBuffer

from banquet_agents.arena.evaluate import markdown, strength
from banquet_envs import game_spec
from banquet_envs.envs.registration import environment_id


class Greedy:
    """The trained agent at our tables."""

    def __init__(self, agent: DQN) -> None:
        self.agent = agent

    def act_on(self, observations: np.ndarray, masks: np.ndarray, words: np.ndarray) -> np.ndarray:
        """int64 (n,): the best legal action of each row."""
        return np.asarray(self.agent.get_action(observations, epsilon=0.0, action_mask=masks.astype(np.int8)))


def main() -> None:
    """Train, save, and say how strong the policy is."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", nargs="?", default="great_evening_banquet")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--opponents", default="greedy")
    parser.add_argument("--steps", type=int, default=200_000, help="decisions of the learner")
    parser.add_argument("--games", type=int, default=32, help="side by side")
    parser.add_argument("--matches", type=int, default=400, help="games against each scripted agent at the end")
    parser.add_argument("--folder", type=Path, default=Path("runs/agilerl_dqn"))
    args = parser.parse_args()

    id_ = environment_id(args.game, game_spec(args.game).version)
    envs = gymnasium.make_vec(id_, num_envs=args.games, players=args.players, opponents=args.opponents)
    agent = DQN(envs.single_observation_space, envs.single_action_space, batch_size=128, lr=1e-3, gamma=1.0)
    memory = ReplayBuffer(50_000)
    observation, infos = envs.reset(seed=1)
    for steps in range(0, args.steps, args.games):
        epsilon = max(0.05, 1.0 - 2 * steps / args.steps)
        action = agent.get_action(observation, epsilon=epsilon, action_mask=infos["action_mask"])
        after, reward, ended, _, infos = envs.step(action)
        seen = Transition(obs=observation, action=action, next_obs=after, reward=reward, done=ended).to_tensordict()
        seen.batch_size = [args.games]
        memory.add(seen)
        observation = after
        if len(memory) >= agent.batch_size:
            agent.learn(memory.sample(agent.batch_size))

    args.folder.mkdir(parents=True, exist_ok=True)
    agent.save_checkpoint(args.folder / "agilerl.pt")
    print(markdown(strength(envs.unwrapped.game, ("agilerl", Greedy(agent)), games=args.matches)))


if __name__ == "__main__":
    main()
