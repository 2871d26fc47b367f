#!/bin/sh
# Install the programs that tests play against, where this machine can have them: Debian or Ubuntu, as root or by sudo.
set -eu
programs="stockfish gnuchess sjeng fairymax gnugo gnubg"
missing=""
for program in $programs; do
    [ -x "/usr/games/$program" ] || command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
done
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null 2>&1; then
    echo "tests/programs.sh: no apt-get here; without$missing some tests are skipped" >&2
    exit 0
fi
become=""
if [ "$(id -u)" != 0 ]; then
    if ! sudo -n true 2>/dev/null; then
        echo "tests/programs.sh: not root; without$missing some tests are skipped" >&2
        exit 0
    fi
    become="sudo -n"
fi
export DEBIAN_FRONTEND=noninteractive
$become apt-get update -qq || true
# shellcheck disable=SC2086
$become apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
    echo "tests/programs.sh: could not install$missing; some tests are skipped" >&2
