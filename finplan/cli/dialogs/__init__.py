"""Conversations with the person: the walk through the questions, and an import on its way."""
