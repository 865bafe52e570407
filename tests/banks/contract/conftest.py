"""A person without anything linked."""

from tests.service.conftest import context, import_texts, newcomer, store

__all__ = ("context", "import_texts", "newcomer", "store")
