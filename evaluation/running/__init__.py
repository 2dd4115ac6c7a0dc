"""How a site runs: embedded servers, backups, the demo."""
