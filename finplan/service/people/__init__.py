"""The person: settings, and leaving with everything."""
