"""Whose rows they are: each account of the files is one of the person's, or a new one."""
