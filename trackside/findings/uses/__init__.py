"""What a judge may be used for: five uses, each with its number, margin and code, whatever others do."""
