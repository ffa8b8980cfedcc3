#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_manners.sh - what every command of `acre` owes its users: help, the manual page, completion,
# JSON, and progress and color at a terminal alone.
#     test_manners.sh ACRE JSON_VALUE FOLDER
# ACRE and JSON_VALUE are programs, FOLDER is made anew. Without groff, zsh or pseudo-terminals a part is
# left out; with CI set that fails.
set -uo pipefail
acre="$1"
json_value="$2"
folder="$3"

# shellcheck source=tests/scripts/program_checks.sh
. "$(dirname "$0")/program_checks.sh"

run() { run_acre "$@"; }
# has COMMAND...: it succeeds; in CI it has to.
has() {
    "$@" </dev/null >/dev/null 2>&1 && return 0
    [ -z "${CI:-}" ] || expect "CI has what these tests need" "$@"
    return 1
}
with_groff=
! has groff --version || with_groff=1
commands="$("$acre" help | tee help_all.txt | awk '/^  [a-z]+ +[^A-Z[]/ && !/COMMAND|SHELL/ { print $1 }')"
expect "the help names the commands" test "$(wc -w <<<"$commands")" -ge 7

run --version
expect "the version names the kernels" says out.txt "kernels scalar"
ACRE_KERNEL=scalar run --version
expect "the version names the kernel that is chosen" says out.txt "(default scalar)"

for command in $commands; do
    run help "$command"
    expect "help of $command ends well" is "$status" 0
    cp out.txt help.txt
    run "$command" --help
    expect "help of $command is its --help" cmp -s out.txt help.txt
    expect "help of $command has examples" says help.txt "  acre $command"
    expect "help of $command has its exit statuses" says help.txt "Exit status: 0"
    expect "figures of $command are there as JSON" says help.txt "  --json "
    run manual "$command"
    expect "the page of $command ends well" is "$status" 0
    for part in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES "EXIT STATUS" "SEE ALSO"; do
        expect "the page of $command has its parts" says out.txt ".SH $part"
    done
    for option in $(grep -oE '^  --[a-z-]+' help.txt); do
        expect "the page of $command has $option" says out.txt "${option//-/\\-}"
    done
    if [ -n "$with_groff" ]; then
        groff -man -ww -Tutf8 out.txt >page.txt 2>warnings.txt
        expect "groff has nothing against the page of $command" test ! -s warnings.txt
    fi
done
run manual
expect "the page of the program names its commands" says out.txt "acre\\-run"
run help fly
expect "there is no help of an unknown command" is "$status" 2
run manual fly
expect "there is no page of an unknown command" is "$status" 2
run veiw
expect "a mistyped command is refused" is "$status" 2
expect "the one that was meant is named" says err.txt "did you mean 'view'?"
expect "and nothing else" is "$(wc -l <err.txt)" 1
run fly
expect "what is near no command lists all" says err.txt "usage: acre COMMAND"
for slip in fraems:frames frame:frames frams=3:frames see:seed svgg:svg; do
    run run "--${slip%%:*}"
    expect "a mistyped option is refused" is "$status" 2
    expect "--${slip#*:} is what --${slip%%:*} meant" says err.txt "did you mean --${slip#*:}?"
done
run run --nonsense
expect "what is near no option gets no advice" says_not err.txt "did you mean"
run completion fish
expect "there is no completion of another shell" is "$status" 2
expect "the other shell is named" says err.txt "'fish'"

# complete WORDS...: what bash offers for the last word.
"$acre" completion bash >completion.bash
complete() {
    bash --norc -c '. ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _acre
        printf "%s\n" "${COMPREPLY[@]}"' words acre "$@" | sort | tr '\n' ' '
}
expect "bash completes a command" is "$(complete in)" "inspect "
expect "bash completes an option" is "$(complete run --fr)" "--frames "
expect "bash completes a kernel" is "$(complete agents --kernel avx2)" "avx2 "
expect "bash completes yes and no" is "$(complete bench --queries '')" "no yes "
expect "bash completes a word after =" is "$(complete bench --kernel = avx5)" "avx512 "
touch town.glb
expect "bash completes a file" is "$(complete inspect town.g)" "town.glb "
expect "bash completes a shell" is "$(complete completion z)" "zsh "
if has zsh --version; then
    "$acre" completion zsh >_acre
    expect "zsh reads its completion" zsh -f -n _acre
    expect "zsh defines it" zsh -f -c 'autoload -Uz compinit; compinit -D -u; . ./_acre
        [ "$_comps[acre]" = _acre ]'
fi

# Figures as JSON.
run town --players 5 --mobs 200 --projectiles 5 --ticks 20 --json town.json
expect "a town writes its sums" is "$(json town.json ticks)" 20
run bench --sizes 100 --scenes none --worlds yes --rounds 1 --milliseconds 1 --views 1 --json bench.json
expect "the bench ends well" is "$status" 0
expect "the bench writes its mode" is "$(json bench.json mode)" worlds
run crowd --walkers 300 --frames 12 --parts 3 --json crowd.json
expect "a crowd ends well" is "$status" 0
expect "a crowd writes its parts" is "$(json crowd.json parts)" 3
expect "a crowd writes its content" is "content $(json crowd.json content)" "$(tail -n 1 out.txt)"
run crowd --walkers 300 --frames 2 --json /dev/full
expect "a crowd whose figures cannot be written ends with status 1" is "$status" 1
if grep -q '^  view ' help_all.txt; then
    run view --sample idea --json view.json
    expect "figures of a window are refused" is "$status" 2
fi
cat >cube.obj <<'OBJ'
o cube
v 0 0 0
v 1 0 0
v 0 1 1
f 1 2 3
OBJ
run inspect cube.obj --json cube.json
expect "inspect ends well" is "$status" 0
expect "inspect writes its rows" is "$(json cube.json triangles)" 1
expect "inspect says what a view looks at" says out.txt "of the cells and"
expect "inspect says how long a view takes" says out.txt "a view takes"
expect "what is a number is one in JSON" says cube.json '"triangles":	1,'
expect "what is no number is text" says cube.json 'm",'
: >empty.glb
run inspect empty.glb
expect "an empty file is called empty" says err.txt "empty.glb: the file is empty"
# shellcheck disable=SC2002
cat cube.obj | "$acre" inspect /dev/stdin >out.txt 2>err.txt
expect "a pipe with a model is refused as such" says err.txt "/dev/stdin: a model is read from a plain file"
ACRE_PAGE=no_page.html run inspect cube.obj --html page.html
expect "a page that cannot be written is refused before the work" is "$status $(wc -c <out.txt)" "1 0"
run inspect cube.obj --check
expect "an OBJ has no second path to its bounds" says out.txt "bounds                  no second path: "
cat >lies.gltf <<'GLTF'
{"asset":{"version":"2.0"},"nodes":[{"name":"n","mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"buffers":[{"byteLength":36,"uri":"data:;base64,AACAvwAAAMAAAEDAAACAPwAAAEAAAEBAAACAPwAAAMAAAEBA"}],
"bufferViews":[{"buffer":0,"byteLength":36}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[-1,-2,-3],"max":[1,2,4]}]}
GLTF
run inspect lies.gltf --check
expect "an accessor that lies ends inspect with status 1" is "$status" 1
expect "the accessor is named" says err.txt "accessors[0].min and max say"
run run lies.gltf --frames 1 --svg none
expect "an accessor that lies ends a run with status 1" is "$status" 1
expect "the accessor is named by a run" says err.txt "accessors[0].min and max say"
sed 's/"mesh":0/"mesh":0,"scale":[0.01,0.01,0.01]/' lies.gltf >small.gltf
run run small.gltf --frames 60 --svg none --check 0
expect "a camera that sees nothing is told" says out.txt "IT SAW NOTHING"
run run lies.gltf --frames 1 --svg none --check 0
expect "nothing is compared where nothing is checked" is "$status" 0
run inspect cube.obj --json /dev/full
expect "JSON that cannot be written ends with status 1" is "$status" 1

# A terminal: progress and color there, and nowhere else.
at_terminal() { TERM=xterm script -qec "$*" /dev/null </dev/null >terminal.txt; }
# The long commands run at the same time, as none shows its progress before a second has passed.
declare -A process_of
# begin NAME COMMAND: the command begins at a terminal of its own.
begin() {
    TERM=xterm script -qec "timeout 70 $2" /dev/null </dev/null >"terminal_$1.txt" 2>&1 &
    process_of[$1]=$!
}
# shows NAME WORDS: the command writes them to its terminal within a minute; then it is stopped.
shows() {
    local tries=0 process="${process_of[$1]}"
    until says "terminal_$1.txt" "$2" || [ "$((tries += 1))" -gt 600 ] || ! kill -0 "$process"; do
        sleep 0.1
    done
    kill "$process"
    says "terminal_$1.txt" "$2"
}
# A recording that tidies its tree a million times more than it did.
recorded="$folder/../recorded.acreqt"
{
    head -c -9 "$recorded" && yes $'\023' | head -n 1000000 | tr '\n' '\000'
    tail -c 9 "$recorded"
} >long.acreqt
TERM=xterm timeout 2 "$acre" crowd --frames 1000000 2>&1 >/dev/null | cat >pipe.txt &
if has script -qec true /dev/null; then # where there are pseudo-terminals
    begin agents "'$acre' agents --agents 20000 --frames 1000000 --check 0"
    begin crowd "'$acre' crowd --frames 1000000"
    begin replay "'$acre' replay long.acreqt"
    begin inspect "'$acre' inspect long.acreqt"
    begin run "'$acre' run cube.obj --frames 1000000 --check 0 --svg none"
    begin town "'$acre' town --ticks 1000000"
    mkfifo slow.obj # a file whose reader waits
    begin import "'$acre' run slow.obj"
    begin bench "'$acre' bench --sizes 100000 --scenes none"
    for command in agents crowd run town; do
        expect "a long $command shows its progress" shows $command "of 1000000"
    done
    expect "a long import shows its progress" shows import "reading slow.obj"
    expect "a long bench shows its progress" shows bench "100000 items: "
    for command in replay inspect; do
        expect "a long $command of a recording shows its progress" shows $command "of the file"
    done
    at_terminal "'$acre' run --frames 0" || true
    expect "an error at a terminal has a color" says terminal.txt $'\033[1;31m'
    NO_COLOR=1 at_terminal "'$acre' run --frames 0" || true
    expect "NO_COLOR turns colors off" says_not terminal.txt $'\033[1;31m'
fi
wait
expect "a pipe shows no progress" test ! -s pipe.txt
run run --frames 0
expect "an error elsewhere has no color" says_not err.txt $'\033'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
