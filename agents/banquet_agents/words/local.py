"""A player that is a model on this machine, through Hugging Face's transformers."""

from __future__ import annotations

import importlib
import threading
from typing import Any

from banquet_agents.words.players import Reply
from banquet_envs.core.errors import OptionError


class LocalPlayer:
    """Continues every prompt, as a chat turn where the tokenizer has a chat template. Plays its likeliest words (no sampling).

    Args:
        folder: a causal language model with its tokenizer, as `save_pretrained` writes them. Nothing is downloaded.
        longest: new tokens of an answer.

    Raises:
        OptionError: transformers is not installed, or there is no such model in the folder.
    """

    def __init__(self, folder: str, longest: int = 1024) -> None:
        try:
            library: Any = importlib.import_module("transformers")
        except ImportError as error:
            raise OptionError("a local model needs transformers: pip install 'banquet-envs[local]'") from error
        try:
            self._tokenizer = library.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self._model = library.AutoModelForCausalLM.from_pretrained(folder, local_files_only=True).eval()
        except (OSError, ValueError, KeyError) as error:
            raise OptionError(f"local:{folder}: {str(error).splitlines()[0]}") from error
        self._longest = longest
        self._one_at_a_time = threading.Lock()

    def __call__(self, prompt: str) -> Reply:
        """The model's answer."""
        if self._tokenizer.chat_template:
            message = [{"role": "user", "content": prompt}]
            prompt = self._tokenizer.apply_chat_template(message, tokenize=False, add_generation_prompt=True)
        asked = self._tokenizer(prompt, return_tensors="pt")
        length = asked["input_ids"].shape[1]
        with self._one_at_a_time:
            found = self._model.generate(**asked, max_new_tokens=self._longest, do_sample=False)[0, length:]
        text = self._tokenizer.decode(found, skip_special_tokens=True)
        return Reply(text, {"prompt": int(length), "completion": len(found)})
