"""Players that read and write, language models above all, at the same table and on the same ladder as all other agents."""
