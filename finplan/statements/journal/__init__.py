"""Journals of plain-text accounting, hledger, ledger and beancount, read and written."""
