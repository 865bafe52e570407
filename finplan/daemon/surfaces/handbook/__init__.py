"""The handbook for whoever asks: without a credential, and for pages of any origin."""
