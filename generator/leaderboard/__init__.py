"""The leaderboard: a Harbor job directory read, checked and regraded becomes an entry; entries become a table."""
