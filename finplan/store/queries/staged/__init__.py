"""Rows that wait in the stage of an import, compared with those of the store and moved there."""
