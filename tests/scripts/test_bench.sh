#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_bench.sh - the program `acre bench` from outside: flags, exit statuses, files, messages.
#     test_bench.sh ACRE JSON_VALUE FOLDER
# ACRE and JSON_VALUE are programs, FOLDER is made anew. No figure is judged: machines are noisy.
set -uo pipefail
acre="$1"
json_value="$2"
folder="$3"
town="$(cd "$(dirname "$0")" && pwd)/../../tools/scenes/san_francisco.glb"

# shellcheck source=tests/scripts/program_checks.sh
. "$(dirname "$0")/program_checks.sh"

run() { run_acre bench "$@"; }
fits() { ! grep -qE '.{101}' "$1"; }

run --sizes 300,1000 --views 2 --rounds 1 --milliseconds 1 --churn 20000 --scenes none --stream 2 --csv table.csv
expect "a small run ends well" is "$status" 0
expect "without a terminal there is no progress line" test ! -s err.txt
for text in "300 boxes" "1000 boxes" "memcpy" "textbook" "cold L2" "cold L3" "ground" "whole" \
    "p99.9" "B/item" "150 at once" "after churn" "items accepted" "sets were compared with the reference and are equal to it"; do
    expect "the table tells $text" says out.txt "$text"
done
expect "no exact contender differs" says_not out.txt "acre sets differ"
expect "tables are at most 100 columns wide" fits out.txt
expect "the values begin with their names" is "$(head -c 21 table.csv)" "mode,items,contender,"
expect "each row names its mode" is "$(sed 1d table.csv | cut -d, -f1 | sort -u)" all
expect "each row has thirteen values" is \
    "$(sed 's/"[^"]*"/x/g' table.csv | awk -F, '{print NF}' | sort -u)" 13
expect "both sizes are there" is "$(cut -d, -f2 table.csv | sort -u | tr '\n' ' ')" \
    "1000 300 items "

run --queries yes --sizes 1,300,3000 --views 3 --rounds 1 --milliseconds 1 --csv queries.csv
expect "every query ends well" is "$status" 0
for text in "3000 boxes" "3 views or questions of a kind" "box, 10 m" "circle, 100 m" "oriented, exact" "capsule" \
    "cone" "ground point" "ray, closest" "swept box" "64 nearest to a box" "view, near to far" \
    "view, one layer of four" "loop, scalar" "results" \
    "neighbors of 1501 units" "one call" "uniform grid" \
    "the answers of Acre and of the loops are equal to the definition"; do
    expect "the table of queries tells $text" says out.txt "$text"
done
for contender in acre "loop, scalar"; do
    expect "each kind of query has a row of $contender" is \
        "$(grep -c "^queries,3000,\"$contender\",\"answer\"," queries.csv)" 36
done
expect "a query finds something" is \
    "$(grep -cE '^queries,3000,"acre","answer items","box, 100 m",,a query,[1-9]' queries.csv)" 1
run --queries yes --sizes 2000 --views 2 --rounds 1 --milliseconds 1 --kernel scalar --peers no
expect "every query ends well without vectors" is "$status" 0
run --worst yes --sizes 2000 --rounds 1 --views 4 --csv worst.csv
expect "the worst frames end well" is "$status" 0
for text in "2000 entities" "first destroy" "portal" "spike" "p99.9" "all sets are equal"; do
    expect "the table of worst frames tells $text" says out.txt "$text"
done
expect "each phase has a row of its frames" is "$(grep -c '^worst,2000,"acre","frame",.*,,us,' worst.csv)" 17
run --pairs yes --sizes 1,1000 --rounds 1 --milliseconds 1 --csv pairs.csv
expect "all pairs end well" is "$status" 0
for text in "1000 agents on 77 m x 77 m" "ms median" "ms minimum" "acre, contacts" "sweep" "textbook" \
    "the pairs of Acre, of its contacts and of the sweep are equal"; do
    expect "the table of pairs tells $text" says out.txt "$text"
done
expect "a crowd has pairs" is "$(grep -cE '^pairs,1000,"acre","pairs found","",,pairs,[1-9]' pairs.csv)" 1
expect "nobody finds other pairs" says_not pairs.csv '"pairs missing"'
run --pairs yes --sizes 1000 --rounds 1 --milliseconds 1 --kernel scalar --peers no
expect "all pairs end well without vectors" is "$status" 0
expect "the sweep is then scalar" says out.txt "sweep, scalar"
run --view-rules yes --sizes 1,2000 --scenes "$town" --cars 500 --views 2 --rounds 1 --milliseconds 1 \
    --csv views.csv
expect "views and rules end well" is "$status" 0
for text in "2000 entities, 200 of them move" "14138 entities, 500 of them move" \
    "(c) OpenStreetMap contributors" "ground, us a view" "san_francisco.glb, us a view" "loop over all boxes" \
    "set, own ranges" "everything and volumes" "plain loop, everything" "five sets, one call" \
    "joint frustum, set" "joint frustum placed" "casters: of what is seen" "near to far, matrices" \
    "answers were compared with the definitions and are equal to them"; do
    expect "the table of views tells $text" says out.txt "$text"
done
for kind in ground aerial rts shadow whole; do
    expect "each case of a $kind view has a row" is \
        "$(grep -c "^views,2000,.*,\"view\",\"$kind\"," views.csv)" 25
done
expect "a view of the town finds something" is \
    "$(grep -cE '^views,14138,"set, changes","view entities","san_francisco.glb",,a view,[1-9]' views.csv)" 1
run --view-rules yes --sizes 700 --scenes none --views 1 --rounds 1 --milliseconds 1 --kernel scalar
expect "views and rules end well without vectors" is "$status" 0
expect "views without scenes need none" says_not out.txt "OpenStreetMap"
run --view-rules yes --sizes 20 --scenes missing.glb --views 1 --rounds 1 --milliseconds 1
expect "a missing scene of views ends with status 1" is "$status" 1
expect "a missing scene of views is named" says err.txt missing.glb
run --worlds yes --sizes 25,1500 --views 2 --rounds 1 --milliseconds 1 --csv worlds.csv
expect "worlds end well" is "$status" 0
for text in "25 boxes, 2 views of a kind" "1500 boxes" "storeys 500, rts" "towers, ground" "aeroplanes 5 %, aerial" \
    "caves, shadow" "UTM, ground" "Web Mercator, whole" "strays, aerial" "scalar" \
    "movers anywhere" "all sets are equal to the reference"; do
    expect "the table of worlds tells $text" says out.txt "$text"
done
expect "a world's views are rows of each contender" is \
    "$(grep -cE '^worlds,1500,"(acre|loop, scalar)","query",".*",storeys 100,us,' worlds.csv)" 10
run --workers 1,2,3 --sizes 40000 --rounds 1 --milliseconds 1 --csv workers.csv
expect "workers end well" is "$status" 0
for text in "1 worker" "3 workers" "fork and join" "copy of 52 bytes an item" "copy of 236 bytes an item" "copy of 96 bytes an item" "share of the gain" "of 236 bytes" "the longest view" "refresh_all" "set_locals and commit" "16 views" "16 wide views" "neighbors within 10 m" \
    "all pairs" "chains of 8, commit" "one wide view with LODs" "draw list of a half" "casters of 4 cascades" "build" "optimize"; do
    expect "the table of workers tells $text" says out.txt "$text"
done
expect "workers are in the CSV" is "$(grep -cE '^workers,40000,"(1 worker|2 workers|3 workers)","workers"' workers.csv)" 51
run --workers 0
expect "no workers end with status 2" is "$status" 2
run --worlds yes --sizes 1000 --views 1 --rounds 1 --milliseconds 1 --kernel scalar
expect "worlds end well without vectors" is "$status" 0
run --interest yes --sizes 2000 --rounds 2 --csv interest.csv
expect "observers end well" is "$status" 0
for text in "20 observers among 2000 movers" "all moving" "1 % moving" "radii 1 to 8" "a tenth crowded" "grid" \
    "all lists of all ticks are equal"; do
    expect "the table of observers tells $text" says out.txt "$text"
done
expect "observers are rows of each contender" is \
    "$(grep -cE '^interest,2000,"(acre|grid)","observers",".*",,ms,' interest.csv)" 8
run --worlds yes --interest yes
expect "worlds and observers at once end with status 2" is "$status" 2
run --view-rules yes --pairs yes
expect "pairs and views at once end with status 2" is "$status" 2
run --pairs yes --queries yes
expect "pairs and queries at once end with status 2" is "$status" 2
run --queries yes --workers 1
expect "two modes at once end with status 2" is "$status" 2

run --sizes 20 --views 1 --rounds 1 --milliseconds 1 --churn 0 --peers no --cold no --scenes "$town" \
    --csv town.csv
expect "a town ends well" is "$status" 0
for text in "san_francisco.glb: 15638 boxes, 2000 of them cars that drive" "set locals" "five views" \
    "(c) OpenStreetMap contributors" "acre, in the scene" "acre, static map" "textbook" \
    "of the cullers' sets are equal to the reference"; do
    expect "the table of a town tells $text" says out.txt "$text"
done
expect "a stage of the town's frame has a row" says town.csv \
    '15638,"acre, in the scene","commit, culler","san_francisco.glb",,us a frame,'
expect "each row of a town has thirteen values, too" is \
    "$(sed 's/"[^"]*"/x/g' town.csv | awk -F, '{print NF}' | sort -u)" 13
expect "without churn there is no table of it" says_not out.txt "after churn"
run --sizes 20 --views 1 --rounds 1 --milliseconds 1 --churn 0 --cold no --scenes missing.glb
expect "a missing scene ends with status 1" is "$status" 1
expect "a missing scene is named" says err.txt missing.glb

run --sizes 100 --views 1 --rounds 1 --milliseconds 1 --cold no --churn 20000 --scenes none --kernel scalar --peers no
expect "without vectors the run ends well" is "$status" 0
expect "cold caches are measured where they are wanted alone" says_not out.txt "cold L2"
expect "the yardstick is then scalar" says out.txt "yardstick  loop, scalar"

run --engines yes --sizes 500 --rounds 1 --csv engines.csv
expect "engines end well" is "$status" 0
expect "Acre's frames are measured" says out.txt "acre, tree alone"
expect "and the plain loop's" says out.txt "plain loop"
expect "answers are checked" says out.txt "all sets are right"
expect "engines of others are there, or the way to them" grep -qE 'OGRE|OpenSceneGraph|ACRE_BUILD_HOSTS' out.txt
expect "frames are in the table of values" says engines.csv 'engines,500,"plain loop","frame","2 % moving"'
run --engines yes --pairs yes
expect "two modes exclude each other" is "$status" 2

: >plain
for place in plain/table.csv /dev/full; do
    run --sizes 50 --views 1 --rounds 1 --milliseconds 1 --cold no --churn 0 --scenes none --csv "$place"
    expect "values that cannot be written end with status 1" is "$status" 1
    expect "values that cannot be written are named" says err.txt "$place"
done
run --sizes 50 --views 1 --rounds 1 --milliseconds 1 --cold no --churn 0 --scenes none --csv plain/table.csv
expect "what cannot be written is not measured" test ! -s out.txt
run --sizes 50 --views 1 --rounds 1 --milliseconds 1 --cold no --churn 0 --scenes none --csv new/table.csv
expect "folders are made" test -s new/table.csv
expect "nothing temporary is left" is "$(ls new)" table.csv
status=0
"$acre" bench --sizes 50 --views 1 --rounds 1 --milliseconds 1 --cold no --churn 0 --scenes none \
    >/dev/full 2>err.txt || status=$?
expect "tables that cannot be written end with status 1" is "$status" 1
expect "the standard output is then named" says err.txt "standard output"

run --sizes 0
expect "a wrong argument ends with status 2" is "$status" 2
expect "a wrong argument is named" says err.txt "--sizes"
expect "a wrong argument runs nothing" test ! -s out.txt
run --csv --views 3
expect "an option is no value" is "$status" 2
expect "an option that is no value is named" says err.txt "looks like an option"
run --help
expect "help ends with status 0" is "$status" 0
for flag in --sizes --scenes --views --rounds --milliseconds --churn --kernel --peers --cold --stream --queries --pairs --worlds --worst --near --drift --interest --engines --occlusion --workers --view-rules --cars --csv --json --help; do
    expect "help names every flag" says out.txt "$flag"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 30 ]
