"""A person without anything linked."""

from tests.service.conftest import context, newcomer, store

__all__ = ("context", "newcomer", "store")
