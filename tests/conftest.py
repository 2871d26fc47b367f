"""What all tests share: errors are read as users see them, not as their authors debug them."""

import os

os.environ.pop("ZERMELO_DEBUG", None)
