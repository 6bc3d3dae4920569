"""Games in the browser: tables that people and agents share, and replays. Needs the extra `serve`."""
