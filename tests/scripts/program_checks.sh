# SPDX-License-Identifier: MIT
# program_checks.sh - what tests of the program `acre` from outside share. A test sets json_value and
# folder, sources this, and is then in the folder, which is new; its own `run` sets $status.
passed=0
failed=0
status=0
if ! [ -c /dev/full ]; then
    echo "skipped: there is no /dev/full"
    [ -z "${CI:-}" ] || exit 1
    exit 77
fi
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1

# run_acre ARGUMENTS: standard output to out.txt, standard error to err.txt, the exit status to $status.
run_acre() {
    status=0
    "$acre" "$@" >out.txt 2>err.txt </dev/null || status=$?
}
# expect SENTENCE COMMAND...: the command has to succeed.
expect() {
    local sentence="$1"
    shift
    if "$@" >expect.txt 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $sentence: $* (exit status of acre: $status)"
        tail -n 5 expect.txt err.txt
    fi
}
is() { [ "$1" = "$2" ]; }
is_not() { [ "$1" != "$2" ]; }
says() { grep -qF -- "$2" "$1"; }
says_not() { ! grep -qF -- "$2" "$1"; }
json() { "$json_value" "$@"; }
