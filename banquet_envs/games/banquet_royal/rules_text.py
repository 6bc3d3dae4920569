"""The rules in words for the options and components in play, and how moves are worded. Nothing in a move is hidden."""

from __future__ import annotations

from banquet_envs.core.types import Rules
from banquet_envs.games.banquet_royal.components import CELLS, DISHES, VALUES, Eat
from banquet_envs.games.banquet_royal.display import item_name, menu_text, seat_name, space_name


def rules_text(rules: Rules) -> str:
    """How the game is played with these options and components."""
    parts = [_box(rules), _turn(rules), _orders(rules), _end(rules), _board(rules), _menus(rules)]
    return "\n\n".join(parts)


def move_forms(rules: Rules) -> list[str]:
    """How `action_text` words moves."""
    forms = [
        "place a <dish> on <space>", "place your toque on <space>", "announce the Royal Order on <space> as a <dish>",
        "validate card <number>: <menu>", "validate no menu", "discard card <number>: <menu>", "discard nothing",
        "draw from the <number>-point deck",
    ]  # fmt: skip
    if rules.hell:
        forms.append("give up validated menu <number>: <menu>")
    if not rules.recall:
        forms.append("have memorised the Royal Orders")
    return forms + ["put a face-down Royal Order on <space>"] * bool(rules.etiquette)


def _box(rules: Rules) -> str:
    seats = ", ".join(seat_name(p) for p in range(rules.players))
    dishes = ", ".join(item_name(k) for k in range(DISHES))
    return (
        f"Players ({seats}) are cooks who lay dishes ({dishes}) and chef's hats (toques) on the {CELLS} spaces around a bouquet"
        f" and score menus: cards with three items in a row. The kitchen holds {int(rules.kitchen)} of each dish, everybody owns"
        f" {int(rules.toques)} toques. Menus lie in three shuffled decks, by the points they are worth; the backs show the"
        " points. Everybody is dealt one of each and holds three cards, hidden from the others. Who begins is drawn by lot; then"
        " turns go from seat to seat."
    )


def _turn(rules: Rules) -> str:
    must = "then one such menu must be validated" if rules.forced else "then one such menu may be validated"
    joker = (
        " A toque on the table may stand for any dish."
        if rules.joker
        else " A toque matches nothing but a toque on a card."
    )
    return (
        "A turn. 1. Put a dish from the kitchen or one of your toques on a free space that touches the bouquet, a dish or a"
        " toque; or announce a Royal Order (see below). 2. If the piece that has just come to the table stands in a straight"
        " line of three touching pieces that shows, read either way, the three items of cards in your hand, "
        f"{must}: it lies open before you and is worth its points. One menu a turn; whose pieces the others in the line are"
        f" does not matter.{joker} 3. Whoever validated nothing may discard one card, face up, of a value that can be"
        " drawn. 4. You draw a card worth as much as the one that left your hand; if that deck and its discards are used up you"
        " choose another deck. A deck that runs out is made anew from its discards at once."
    )


def _orders(rules: Rules) -> str:
    tokens = ", ".join(f"{int(n)} {item_name(k)}" for k, n in enumerate(rules.tokens))
    if rules.etiquette:
        where = (
            f"Before the first turn the players, one after another, put {int(rules.orders)} of the Royal Orders face down,"
            " unseen, on spaces that do not touch the bouquet."
        )
    else:
        spaces = ", ".join(space_name(rules, int(x)) for x in rules.order_space[: rules.orders])
        where = f"{int(rules.orders)} Royal Orders lie under cloches on {spaces}."
    known = (
        "What lies under each cloche is known to all throughout."
        if rules.recall
        else "All look at them once before the first turn; from then on they stay covered and must be remembered."
    )
    out = "the space stays empty for good" if rules.closed else "the space is free and has to be filled later"
    hell = (
        " Whoever calls wrongly must also give up one of the own validated menus, if there is one, before step 2."
        if rules.hell
        else ""
    )
    return (
        f"Royal Orders are tokens that each show a dish ({tokens} in the box). {where} {known} Nothing can be put on a cloche."
        " If the cloche touches a dish or a toque, you may announce it in step 1: name a dish, and the cloche is lifted. The dish"
        f" shown comes from the kitchen and takes its place (if the kitchen has none left, {out}, and step 2 falls away). A right"
        f" call collects the token, {_order_worth(rules)}; a wrong one takes it out of the game.{hell}"
    )


def _order_worth(rules: Rules) -> str:
    each = f"{int(rules.order_points)} point{'s' * int(rules.order_points != 1)}"
    if rules.eat == Eat.OFF:
        return f"worth {each}"
    kinds = ", ".join(f"{int(n)} for {k}" for k, n in enumerate(rules.distinct) if k)
    also = f"worth {each}, and besides" if rules.eat == Eat.ADD else "worth nothing by itself, but"
    return f"{also} at the end the number of different dishes among a player's tokens pays {kinds}"


def _end(rules: Rules) -> str:
    cut_off = ", or nothing can be laid or announced any more" if rules.closed else ""
    gourmet = ""
    if rules.gourmet:
        most = ", ".join(f"most {v + 1}-point menus {int(rules.most[v])}" for v in range(VALUES) if rules.most[v])
        gourmet = (
            f" Besides, validated menus pay at the end by majority ({most} points; those who tie all get them), and each toque"
            " on the table pays its owner the largest number of one dish among its neighbours."
        )
    return (
        f"The game ends after step 2 of the turn in which the last space is filled{cut_off}. Validated menus and collected Royal"
        f" Orders are added up.{gourmet} Most points win; ties go to whoever collected more Royal Orders, then victory is shared."
    )


def _board(rules: Rules) -> str:
    start = ", ".join(space_name(rules, x) for x in range(CELLS) if rules.start[x])
    lines = ", ".join("-".join(space_name(rules, int(x)) for x in line) for line in rules.line[: rules.lines])
    near = "; ".join(
        f"{space_name(rules, x)}: {' '.join(space_name(rules, int(y)) for y in rules.near[x, : rules.degree[x]])}"
        for x in range(CELLS)
    )
    return f"Spaces that touch the bouquet: {start}. Which spaces touch: {near}. The lines of three: {lines}."


def _menus(rules: Rules) -> str:
    return f"All menus in the box: {'; '.join(menu_text(rules, card) for card in range(rules.menus))}."
