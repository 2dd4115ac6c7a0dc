"""What runs retrieved: the pages of topics and documents, and the search in a collection."""
