"""The steps of `make demo`, from the first account to the reports and the site."""
