"""The person: settings, API keys, and leaving with everything."""
