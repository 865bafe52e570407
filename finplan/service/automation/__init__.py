"""What happens by itself: jobs are rows, and a run of one is claimed by whoever gets there first."""
