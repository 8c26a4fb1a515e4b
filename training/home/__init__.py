"""Home: what everybody finds on arriving, and a trainee's own pages: what to do now, the rules, the history."""
