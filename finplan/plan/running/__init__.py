"""What a month brings and costs from now on, beside what it was on average."""
