"""Placeholder while the rules are being written."""
def action_text(rules, state, action): return str(action)
def describe(rules, state, player): return ""
def draw(rules, state, player): return ""
