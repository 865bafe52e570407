"""Who was paid, and what for: payee keys, the category catalogue, curated rules and decisions."""
