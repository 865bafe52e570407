"""What takes several dialogs: an import, a word on a row; nothing is kept before a person agrees."""
