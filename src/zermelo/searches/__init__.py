"""Search methods, a folder for each family; `methods` is the table of all of them."""
