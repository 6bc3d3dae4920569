"""A player behind any server that speaks the common chat-completions protocol, over HTTP, with nobody's own library."""

from __future__ import annotations

import importlib
import time
from typing import Any

from banquet_agents.words.players import Reply
from banquet_envs.core.errors import AgentError, OptionError

_BUSY = (408, 429, 500, 502, 503, 504)
"""HTTP states after which asking again may help."""
_LONGEST_WAIT = 60.0


class ChatPlayer:
    """Posts every prompt as one user message to `URL/chat/completions`. May be asked from several threads at once.

    Args:
        url: where the protocol begins, such as "http://127.0.0.1:8000/v1".
        model: the model's name there.
        key: sent as bearer token, if given.
        timeout: seconds for one answer.
        tries: how often a busy or silent server is asked before giving up; waits 1, 2, 4, ... seconds in between, or as many as
            the server names in Retry-After, a minute at most.
        **settings: further entries of the request, such as temperature=0.

    Raises:
        OptionError: httpx is not installed.
    """

    def __init__(
        self, url: str, model: str, key: str | None = None, timeout: float = 600.0, tries: int = 6, **settings: Any
    ) -> None:
        try:
            self._httpx: Any = importlib.import_module("httpx")
        except ImportError as error:
            raise OptionError("a chat server needs httpx: pip install 'banquet-envs[words]'") from error
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._url = url.rstrip("/") + "/chat/completions"
        self._client = self._httpx.Client(headers=headers, timeout=timeout)
        self._settings = {"model": model, **settings}
        self._tries = tries

    def __call__(self, prompt: str) -> Reply:
        """The model's answer, "" if it gave none (it was cut off before it said anything, or refused).

        Raises:
            AgentError: the server cannot be reached, refuses, or answers with something else.
        """
        answer = self._post({**self._settings, "messages": [{"role": "user", "content": prompt}]})
        try:
            text = answer["choices"][0]["message"].get("content") or ""
            usage = answer.get("usage") or {}
            tokens = {
                name: int(usage[f"{name}_tokens"]) for name in ("prompt", "completion") if f"{name}_tokens" in usage
            }
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            raise AgentError(f"{self._url}: answers with something else than a chat completion ({error!r})") from error
        return Reply(str(text), tokens)

    def _post(self, request: dict[str, Any]) -> Any:
        for attempt in range(self._tries):
            wait = 2.0**attempt
            try:
                response = self._client.post(self._url, json=request)
            except self._httpx.HTTPError as error:
                refusal = AgentError(f"{self._url}: cannot be reached ({error})")
            else:
                if response.is_success:
                    return self._json(response)
                refusal = AgentError(f"{self._url}: HTTP {response.status_code}: {response.text[:300].strip()}")
                if response.status_code not in _BUSY:
                    raise refusal
                named = response.headers.get("Retry-After", "")
                wait = float(named) if named.isdecimal() else wait
            if attempt < self._tries - 1:
                time.sleep(min(wait, _LONGEST_WAIT))
        raise refusal

    def _json(self, response: Any) -> Any:
        try:
            return response.json()
        except ValueError as error:
            raise AgentError(f"{self._url}: answers with something else than JSON ({error})") from error
