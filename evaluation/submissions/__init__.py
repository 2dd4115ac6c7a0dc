"""What participants bring and what is made of it: teams, runs, pools."""
