"""`python -m zermelo` is the command `zermelo`."""

from zermelo.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
