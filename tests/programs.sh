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
export DEBIAN_FRONTEND=noninteractive LC_ALL=C

# apt-get with these arguments: it waits where another has locked what it needs, and tries again where the net fails.
patiently() {
    tries=0
    # shellcheck disable=SC2086
    until said=$($become apt-get -qq -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 "$@" 2>&1 >/dev/null); do
        tries=$((tries + 1))
        case $said in
            *[Ll]ock*) most=60 ;; # the lists of packages have a lock of their own, for which apt-get does not wait
            *) most=2 ;;
        esac
        [ $tries -lt $most ] || return 1
        sleep 5
    done
}

# What is known of packages may do even where it cannot be brought up to date.
patiently update || true
# shellcheck disable=SC2086
if ! patiently install -y --no-install-recommends $missing; then
    echo "tests/programs.sh: could not install$missing; some tests are skipped" >&2
    printf '%s\n' "$said" | tail -1 >&2
fi
