#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_packages.sh - Debian's packages in a system that has nothing else: installed, used, removed.
#     tests/scripts/test_packages.sh WORK
# Needs root, debootstrap and a mirror. WORK/base is kept, so that a second run takes less time.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$1"
work="$(cd "$1" && pwd)"
system="$work/system"
# shellcheck source=tests/scripts/bare_system.sh
. "$root/tests/scripts/bare_system.sh"
trap 'bare_remove "$system"' EXIT
bare_base "$work/base" >"$work/log"
bare_fresh "$work/base" "$system"
rm -rf "$work/packages"
mkdir -p "$work/packages"
"$root/tools/package.sh" deb "$work/packages"
cp "$work"/packages/*.deb "$system/acre"
mkdir -p "$system/acre/tests" "$system/acre/tools/examples"
cp -r "$root/tests/consumer" "$system/acre/tests/consumer"
cp "$root"/tools/examples/*.cpp "$system/acre/tools/examples"
cp "$root/tests/scripts/installed_program.sh" "$root/tests/scripts/links_whole.sh" "$system/acre"

cat >"$system/acre/use.sh" <<'USE'
set -euo pipefail
cd /acre
apt-get update -qq
apt-get install -y -qq --no-install-recommends ./*.deb cmake make g++ pkg-config
./installed_program.sh /usr
# Without a file it takes the city.
acre run --frames 1 --svg none >table.txt
grep -q 'visible sets of 1 frames against brute force: equal' table.txt
mapfile -t packages < <(dpkg-query -W -f '${Package}\n' acre 'libacre*')
[ "${#packages[@]}" -eq 4 ]
for package in "${packages[@]}"; do
    for paper in copyright CHANGES.md THIRD_PARTY.md; do
        [ -s "/usr/share/doc/$package/$paper" ]
        [ "$(dpkg -S "/usr/share/doc/$package/$paper")" = "$package: /usr/share/doc/$package/$paper" ]
    done
    # What programs run with is there for each minor version, under names of its own.
    if [[ "$package" =~ ([0-9]+\.[0-9]+)$ ]]; then
        version="${BASH_REMATCH[1]}"
        dpkg -L "$package" | while read -r file; do
            [ -d "$file" ] || [[ "$file" == *"$version"* ]] || { echo "FAIL: $package has $file"; exit 1; }
        done
    fi
done
./links_whole.sh /usr/share/doc/libacre-dev
cmake -S tests/consumer -B build -DWITH_IMPORT=ON
cmake --build build
ctest --test-dir build --output-on-failure --no-tests=error
for program in quadtree culling; do
    cc tests/consumer/consumer_$program.c -o consumer_$program $(pkg-config --cflags --libs acre)
    ./consumer_$program
done
cc tests/consumer/consumer_import.c -o consumer_import $(pkg-config --cflags --libs acre-import)
./consumer_import
apt-get purge -y -qq acre libacre-dev 'libacre-import*' 'libacre0*'
left="$(find / -xdev -path /acre -prune -o -path /proc -prune -o -iname '*libacre*' -print | grep -v /var/ || true)"
[ -z "$left" ]
echo "packages: installed, used and removed"
USE
if ! bare_run "$system" /acre/use.sh >"$work/log" 2>&1; then
    tail -n 40 "$work/log"
    echo "FAIL: the packages do not serve"
    exit 1
fi
grep -E '^acre |tests passed|^packages:' "$work/log"
