#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clean_room.sh - what a new user does, in a bare Debian 12 that has nothing else.
#     tests/scripts/clean_room.sh WORK [KIND...]
# run        the README's first command, from the files that git has: the table and the map are there
# test       its second command, whole; some 20 minutes on two idle processors
# two-file   gcc -O2 game.c acre.c -lm, with the first programs of README and Porting
# npm        the packed tarball in an empty project, with node alone
# packages   see test_packages.sh
# Without kinds: run, two-file and npm, which take some minutes. Needs root, debootstrap and a mirror;
# npm needs Emscripten outside. WORK/base is kept, so that a second run takes less time. WORK/log and, of
# packages, WORK/packages stay as well; all else is removed. For each kind a line says how long it took
# from the first command of the user to the first visible set, downloads not counted: on the clock, and
# in processor time divided by two, which is what two processors take that nobody else uses. Of `run`
# that is all that the command does but downloads: it installs packages that are already downloaded,
# builds, and drives. It may take two minutes: it fails if both figures are longer. If only the clock's
# is, the line says so: "loaded machine". The last line names the seconds on the clock of each kind.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$1"
work="$(cd "$1" && pwd)"
shift
kinds=("$@")
[ $# -gt 0 ] || kinds=(run two-file npm)
system="$work/system"
# shellcheck source=tests/scripts/bare_system.sh
. "$root/tests/scripts/bare_system.sh"
trap 'rm -rf "$work/npm"; bare_remove "$system"' EXIT

# inside SCRIPT: runs it in the fresh system. It calls `install PACKAGE...`, and `timed COMMAND...`,
# whose time counts: $clock seconds, and $idle where two processors have nothing else to do.
inside() {
    {
        cat <<'HEAD'
set -euo pipefail
cd /acre
install() {
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "$@"
}
timed() {
    local TIMEFORMAT='measured %R %U %S'
    { time "$@" >&3 2>&3; } 3>&1
}
HEAD
        echo "$1"
    } >"$system/acre-inside.sh"
    if ! bare_run "$system" /acre-inside.sh >"$work/log" 2>&1; then
        tail -n 40 "$work/log"
        echo "FAIL: $kind"
        exit 1
    fi
    read -r clock idle < <(awk '/^measured / { wall += $2; processor += $3 + $4 }
        END { printf "%.0f %.0f\n", wall, processor / 2 }' "$work/log")
    echo "$kind: $clock s on the clock, $idle s on two idle processors"
}

# within LIMIT: the kind took at most so many seconds, if not on the clock, then of two processors.
within() {
    [ "$clock" -gt "$1" ] || return 0
    if [ "$idle" -gt "$1" ]; then
        echo "FAIL: $kind took more than $1 s"
        exit 1
    fi
    loaded=", loaded machine"
    echo "$kind: loaded machine: $1 s are enough where nothing else runs"
}

bare_base "$work/base" >"$work/log"
took=""
for kind in "${kinds[@]}"; do
    loaded=""
    if [ "$kind" = packages ]; then
        "$root/tests/scripts/test_packages.sh" "$work/packages"
        took+=" $kind"
        continue
    fi
    bare_fresh "$work/base" "$system"
    case "$kind" in
    run)
        git -C "$root" archive HEAD | tar -x -C "$system/acre"
        inside 'packages="$(sed -n "/^needed=(/,/)/{s/^needed=(//;s/)\$//;p}" tools/setup.sh)"
[ -n "$packages" ] || { echo "tools/setup.sh has no list needed=( of packages"; exit 1; }
install --download-only $packages
timed ./tools/run.sh --frames 30 --svg /tmp/map.svg
[ -s /tmp/map.svg ]'
        within 120
        ;;
    test)
        git -C "$root" archive HEAD | tar -x -C "$system/acre"
        inside './tools/setup.sh test
timed ./tools/test.sh --all'
        grep -E '^[0-9]+ passed' "$work/log" | tail -n 1
        ;;
    two-file)
        "$root/tools/package.sh" two-file "$system/acre" >"$work/log"
        # The programs are those code blocks of README.md and of porting.md that have a main.
        awk -v folder="$system/acre" '/^```c$/ { inside = 1; text = ""; next }
            /^```$/ && inside {
                inside = 0
                if (text ~ /int main/) {
                    gsub(/<acre\/[a-z_]*\.h>/, "\"acre.h\"", text)
                    printf "%s", text >(folder "/game" ++count ".c")
                }
                next
            }
            inside { text = text $0 "\n" }' "$root/README.md" "$root/tools/docs/porting.md"
        inside 'install gcc libc6-dev libcglm-dev libsimde-dev
timed gcc -O2 game1.c acre.c -lm -o game1
timed ./game1 | tee game1.txt
grep -q "1 box is near" game1.txt
for game in game2 game3; do
    gcc -O2 $game.c acre.c -lm -o $game
    ./$game
done'
        ;;
    npm)
        "$root/tools/package.sh" npm "$work/npm" >"$work/log"
        cp "$work"/npm/acre-culling-*.tgz "$system/acre"
        cat >"$system/acre/first.mjs" <<'FIRST'
import {load, Tree} from 'acre-culling';
const acre = await load();
const tree = new Tree(acre, {halfSize: 100});
tree.reserve(2);
tree.boxes.set([0, 0, 0, 1, 1, 1, 50, 0, 0, 51, 1, 1]);
tree.insertAll();
const found = tree.queryBox([-1, -1, -1, 2, 2, 2]);
console.log(`${found.length} visible: ${found[0]}`);
if (found.length !== 1 || found[0] !== 0) process.exit(1);
FIRST
        inside 'install nodejs npm
echo "{\"private\": true}" >package.json
timed npm install --offline --no-audit --no-fund --omit=peer ./acre-culling-*.tgz
timed node first.mjs'
        ;;
    *)
        echo "clean_room: unknown kind $kind" >&2
        exit 2
        ;;
    esac
    took+=" $kind ($clock s$loaded)"
done
echo "clean room:$took passed"
