"""Faces of the one table: how a question arrives and how an answer leaves."""
