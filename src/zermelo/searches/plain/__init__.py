"""The searches of the textbook: minimax, alpha-beta, expectiminimax, max^n. Each is a page: kernel and public call."""
