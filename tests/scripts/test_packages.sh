#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_packages.sh - Debian's packages in a system that has nothing else: installed, used, removed.
#     tests/scripts/test_packages.sh WORK
# Needs root, debootstrap and a mirror. WORK/root is kept, so that a second run takes less time.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$1"
work="$(cd "$1" && pwd)"
system="$work/root"
if [ ! -x "$system/usr/bin/apt-get" ]; then
    echo "a bare Debian 12"
    debootstrap --variant=minbase bookworm "$system" >"$work/log"
fi
rm -rf "$work/packages" "$system/acre"
mkdir -p "$work/packages" "$system/acre"
"$root/tools/package.sh" deb "$work/packages"
cp "$work"/packages/*.deb "$system/acre"
mkdir -p "$system/acre/tests" "$system/acre/tools/examples"
cp -r "$root/tests/consumer" "$system/acre/tests/consumer"
cp "$root"/tools/examples/*.cpp "$system/acre/tools/examples"
cp /etc/resolv.conf "$system/etc/resolv.conf"

cat >"$system/acre/use.sh" <<'USE'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
cd /acre
dpkg --purge acre libacre-dev $(dpkg-query -W -f '${Package}\n' 'libacre*' 2>/dev/null | tac) || true
apt-get update -qq
apt-get install -y -qq --no-install-recommends ./*.deb cmake make g++ pkg-config
acre --version
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
# Without it the loader finds no libraries beside a program.
mount -t proc proc "$system/proc"
trap 'umount "$system/proc"' EXIT
if ! env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$system" /bin/bash /acre/use.sh >"$work/log" 2>&1; then
    tail -n 40 "$work/log"
    echo "FAIL: the packages do not serve"
    exit 1
fi
grep -E '^acre |tests passed|^packages:' "$work/log"
