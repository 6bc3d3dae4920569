"""A perfect memory, written apart from the rules: the exact distribution of all hands, from the whole history.

It is told every decision with the records before and after, works out in plain Python what moved between bank and hands (and
checks that against the true hands), and keeps every possible table of hands with its weight: a theft that the observer did
not see splits each by the victim's cards, everything that is seen drops those that it contradicts.
"""

import itertools

from banquet_envs.games.polite_society.state import Action, Phase

WILD, ADD, STEAL = 4, 5, 7  # action cards


class Bookkeeper:
    """What `observer` (None: the public) can know of the hands in a game of three or more players."""

    def __init__(self, game, observer):
        self.rules, self.players, self.observer = game.rules[0], game.num_players, observer
        self.truth = [[0] * 4 for _ in range(self.players)]
        self.bank = self.rules.bank.astype(int).tolist()
        self.worlds = {tuple(itertools.chain(*self.truth)): 1.0}
        self.thefts = 0

    # ------------------------------------------------------------ what is seen

    def move(self, seat, a, change):
        self.truth[seat][a] += change
        k = 4 * seat + a
        self.worlds = {(*w[:k], w[k] + change, *w[k + 1 :]): p for w, p in self.worlds.items() if w[k] + change >= 0}

    def keep(self, possible):
        self.worlds = {w: p for w, p in self.worlds.items() if possible(w)}

    def gain(self, seat, a, count):
        if self.rules.limited_bank:
            count = min(count, self.bank[a])
        self.bank[a] -= count
        self.move(seat, a, count)

    def pay(self, seat, a, count):
        self.bank[a] += count
        self.move(seat, a, -count)

    def lose(self, seat, a, owed):
        paid = min(owed, self.truth[seat][a])
        self.pay(seat, a, paid)
        if paid < owed:
            self.keep(lambda w: w[4 * seat + a] == 0)

    def steal(self, thief, victim, loot):
        self.thefts += 1
        self.truth[thief][loot] += 1
        self.truth[victim][loot] -= 1
        worlds = {}
        for w, p in self.worlds.items():
            for a in range(4) if self.observer not in (thief, victim) else [loot]:
                if w[4 * victim + a]:
                    after = list(w)
                    after[4 * victim + a] -= 1
                    after[4 * thief + a] += 1
                    key = tuple(after)
                    worlds[key] = worlds.get(key, 0) + p * w[4 * victim + a]
        total = sum(worlds.values())
        self.worlds = {w: p / total for w, p in worlds.items()}

    # ------------------------------------------------------------ a decision, and what followed at once

    def follow(self, before, action, after):
        """False when more happened in one step than this can tell apart."""
        if after.turns > before.turns + 1 or (after.turns > before.turns and before.turns and action != Action.END):
            return False
        self._act(before, action, after)
        if before.turns == 0 and after.turns:
            for seat, a in itertools.product(range(self.players), range(4)):
                self.gain(seat, a, int(self.rules.starting[a]))
        if after.turns > before.turns:
            self._roll(after)
        for seat in range(self.players):  # discards and a finisher's hand: one way only
            for a in range(4):
                lost = self.truth[seat][a] - int(after.hand[seat, a])
                assert lost >= 0, (before.phase, action)
                if lost:
                    self.pay(seat, a, lost)
        assert self.bank == after.bank.tolist()
        return True

    def _act(self, before, action, after):
        me = int(before.active)
        if action == Action.REMOVE or (before.phase == Phase.REMOVE_OWN and Action.SEAT <= action < Action.SEAT + 8):
            gone = set(before.table[me].tolist()) - set(after.table[me].tolist())
            for g in gone:
                if not before.token[me, before.table[me].tolist().index(g)]:
                    self._reward(me, g, bool(self.rules.removal_losses))
        elif Action.BUY <= action < Action.BANK_TRADE:
            for a in range(4):
                self.pay(me, a, int(self.rules.guest[before.list[action - Action.BUY]].cost[a]))
        elif Action.BANK_TRADE <= action < Action.PARTNER:
            a, b = divmod(action - Action.BANK_TRADE, 3)
            ratio = self.rules.improved_ratio if before.improvement[me, 4] else self.rules.ratio
            self.pay(me, a, int(ratio))
            self.gain(me, b + (b >= a), 1)
        elif action == Action.ACCEPT:
            other, item = int(before.partner), int(before.offered)
            for a in range(4):
                self.move(me, a, -int(self.rules.gives[item, a]))
                self.move(other, a, int(self.rules.gives[item, a]))
            for a in range(4):
                self.move(other, a, -int(self.rules.wants[item, a]))
                self.move(me, a, int(self.rules.wants[item, a]))
        elif after.offered >= 0 and before.offered < 0:
            gives = self.rules.gives[after.offered].tolist()
            self.keep(lambda w: all(w[4 * me + a] >= gives[a] for a in range(4)))
        elif action == Action.PLAY or before.phase in (Phase.STEAL_FROM, Phase.WILD_ASSET):
            self._card(before, action, after)

    def _card(self, before, action, after):
        me, card = int(before.active), int(before.kept if action == Action.PLAY else before.playing)
        if card < WILD:
            self.gain(me, card, 2)
        elif card == WILD and after.playing != WILD:
            (a,) = [action - Action.ASSET] if action >= Action.ASSET else [a for a in range(4) if self.bank[a] > 0]
            self.gain(me, a, 1)
        elif card == ADD and self.rules.seven_on_add and after.add_dice.sum() == 7:
            self._improvements(after, me)
        elif card == STEAL and after.playing != STEAL:
            sizes = [sum(hand) for hand in self.truth]
            (victim,) = (
                [(me + action - Action.PLAYER) % self.players]
                if action != Action.PLAY
                else [p for p in range(self.players) if p != me and sizes[p] and not before.out[p]]
            )
            (loot,) = [a for a in range(4) if after.hand[victim, a] < self.truth[victim][a]]
            self.steal(me, victim, loot)

    def _improvements(self, after, active):
        for k in range(self.players):
            seat = (active + k) % self.players
            if not after.out[seat]:
                for a in range(4):
                    self.gain(seat, a, int(after.improvement[seat, a]))

    def _reward(self, seat, g, losses=True, gains=True):
        for a, reward in enumerate(self.rules.guest[g].reward.tolist()):
            if reward < 0 and losses:
                self.lose(seat, a, -reward)
        for a, reward in enumerate(self.rules.guest[g].reward.tolist()):
            if reward > 0 and gains:
                self.gain(seat, a, reward)

    def _roll(self, after):
        active, s = int(after.active), int(self.rules.seat_of[after.dice.sum()])
        if s < 0:
            self._improvements(after, active)
            return
        order = [(active + k) % self.players for k in range(self.players)]
        paid = [p for p in order if not after.out[p] and after.table[p, s] >= 0 and not after.token[p, s]]
        for p in paid:
            self._reward(p, after.table[p, s], gains=False)
        for p in paid:
            self._reward(p, after.table[p, s], losses=False)

    # ------------------------------------------------------------ what is asked of it

    def share(self, hands):
        """The chance of a table of hands (players, 4)."""
        return self.worlds.get(tuple(int(n) for n in hands.ravel()), 0.0) / sum(self.worlds.values())

    def may_hold(self, seat, needs):
        """Whether a hand can be at least `needs`."""
        return any(all(w[4 * seat + a] >= needs[a] for a in range(4)) for w in self.worlds)
