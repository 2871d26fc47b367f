"""Answers as text, as pages for notebooks, and as LaTeX."""
