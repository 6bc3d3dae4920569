"""The suite's own test: Leduc poker passes every check, and of the faults planted in it none is missed."""

import os
import subprocess
import sys

import pytest

from banquet_envs.testing import CHECKS, OVERALL_CHECKS, PER_GAME_CHECKS, configurations
from banquet_envs.testing.planted.faults import FAULTS
from banquet_envs.testing.planted.leduc import SPEC


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("configuration", configurations(SPEC.name), ids=str)
def test_the_sound_game_passes(configuration, check):
    note = check(configuration.make())
    assert note is None, "a check has not looked"


@pytest.mark.parametrize("check", [*OVERALL_CHECKS, *PER_GAME_CHECKS[:2]], ids=lambda c: c.__name__)
def test_the_sound_game_passes_as_a_whole(check):
    check(SPEC.name)


def faults_seen(*words):
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "banquet_envs.testing.planted", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.count("seen: ")


def test_a_planted_fault_is_seen_by_each_check():
    assert faults_seen("--brief") == len({fault.check for fault in FAULTS}) >= 20


@pytest.mark.long
def test_every_planted_fault_is_seen_by_its_check():
    assert faults_seen() == len(FAULTS) >= 50


def test_the_checks_of_rules_facts_and_knowledge_have_a_fault_each():
    """Of the others, some check the library itself, and some are seen at work in tests of their own."""
    modules = ("facts", "knowledge", "coverage")
    named = {fault.check for fault in FAULTS}
    for check in (*CHECKS, *OVERALL_CHECKS):
        if check.__module__.rpartition(".")[2] in modules:
            assert check.__name__ in named
