#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_package_folder.sh - tools/package.sh in a folder where others have files: nothing of theirs is
# lost, and of its own nothing is left that is not made any more.
#     test_package_folder.sh FOLDER
# FOLDER is made anew. A kind of package that takes no time stands in for the others.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
folder="$1"
rm -rf "$folder"
mkdir -p "$folder/tools/package" "$folder/out/kept"
cd "$folder"
cp "$root/tools/package.sh" tools
failed=0
# is SENTENCE FOUND EXPECTED
is() {
    [ "$2" = "$3" ] || {
        failed=$((failed + 1))
        echo "FAIL: $1: '$2' instead of '$3'"
    }
}
# kind COMMANDS: what the package's script does in its folder.
kind() {
    printf '#!/usr/bin/env bash\n# kind.sh - a test.\nset -e\ncd "$1"\n%s\n' "$1" >tools/package/kind.sh
    chmod +x tools/package/kind.sh
}
make() { tools/package.sh kind out >said.txt 2>&1; }
# all: each file and what is in it.
all() { (cd out && find . -type f -o -type l | grep -v '/\.acre_kind$' | sort | while read -r f; do echo -n "$f=$(cat "$f" 2>&1) "; done); }

echo theirs >out/acre.h
echo theirs >out/notes
echo theirs >out/kept/notes
ln -s notes out/link.h
kind 'echo one >acre.h; echo one >link.h; mkdir kept; echo one >kept/page; mkdir old; echo one >old/page'
make
is "others' files stay" "$(all)" "./acre.h=one ./acre.h.before=theirs ./kept/notes=theirs ./kept/page=one ./link.h=one ./link.h.before=theirs ./notes=theirs ./old/page=one "
make
is "a second run changes nothing" "$(all)" "./acre.h=one ./acre.h.before=theirs ./kept/notes=theirs ./kept/page=one ./link.h=one ./link.h.before=theirs ./notes=theirs ./old/page=one "
rm out/link.h out/link.h.before
echo theirs >out/kept/page
kind 'echo two >acre.h'
make
is "its own is replaced or removed, what was changed stays" "$(all)" "./acre.h=two ./acre.h.before=theirs ./kept/notes=theirs ./kept/page=theirs ./notes=theirs "
is "its folder went with its file" "$([ -e out/old ] || echo gone)" gone
echo theirs >out/acre.h
kind 'echo three >acre.h'
make
is "no file that was put aside is lost" "$(all)" "./acre.h=three ./acre.h.before=theirs ./acre.h.before_=theirs ./kept/notes=theirs ./kept/page=theirs ./notes=theirs "
kind 'echo four >acre.h; exit 1'
make && is "a failure is one" 0 1
kind 'echo four >acre.h; echo four >kept.h; echo four >notes; mkdir sub; echo four >sub/kept'
mkdir -p out/sub/kept
make && is "a folder in place of a file is refused" 0 1
is "a failure changes nothing" "$(all)" "./acre.h=three ./acre.h.before=theirs ./acre.h.before_=theirs ./kept/notes=theirs ./kept/page=theirs ./notes=theirs "
kind 'echo five >acre.h; echo five >kept.h; mkdir notes; echo five >notes/page'
make && is "a file in place of a folder is refused" 0 1
is "it says so" "$(grep -c 'out/notes is no folder; take it away first$' said.txt)" 1
is "and changes nothing" "$(all)" "./acre.h=three ./acre.h.before=theirs ./acre.h.before_=theirs ./kept/notes=theirs ./kept/page=theirs ./notes=theirs "
is "nothing else is left in the folder" "$(ls -A out)" $'.acre_kind\nacre.h\nacre.h.before\nacre.h.before_\nkept\nnotes\nsub'
[ "$failed" -eq 0 ] && echo "package.sh: nothing of others was lost"
