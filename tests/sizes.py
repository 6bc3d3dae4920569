"""How many games a test plays: all of them in compiled code, a fiftieth as plain Python (NUMBA_DISABLE_JIT=1)."""

from banquet_envs.core.compile import JIT


def many(n: int, least: int = 2) -> int:
    """`n` where rules are compiled; else n / 50, but at least `least`: enough to see that a rule is broken, within seconds."""
    return n if JIT else max(least, n // 50)
