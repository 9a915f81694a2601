"""The truths that the programs must keep; tests enter every room, and nobody enters this one."""
