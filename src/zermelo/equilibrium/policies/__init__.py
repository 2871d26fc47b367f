"""What players do: strategies in their three kinds, tables of policies, best responses to them."""
