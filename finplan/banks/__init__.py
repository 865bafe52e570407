"""Where transactions come from: one adapter a provider, all with one face."""
