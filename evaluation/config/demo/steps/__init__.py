"""The demo's track on a real site: each step asks the database what is there and adds the rest."""
