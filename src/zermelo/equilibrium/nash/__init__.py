"""Nash equilibria, one or all of them, of tables and of trees."""
