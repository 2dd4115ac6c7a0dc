"""What every page stands on: people and their access, middleware, the bases of admin and API."""
