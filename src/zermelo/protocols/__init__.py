"""Lines of text between programs: how engines are driven, and how this package is driven as one."""
