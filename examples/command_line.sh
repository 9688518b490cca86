#!/bin/sh
# The command line, as somebody types who has not read the manual: every slip is answered with what may have been meant.
#
#     sh examples/command_line.sh          (in an empty folder; replan has to be on the PATH)

slip() { echo "\$ replan $*"; replan "$@" && exit 1; [ $? -eq 2 ] || exit 1; }   # refused, in a sentence
does() { echo "\$ replan $*"; replan "$@" || exit 1; }

slip rnu                                               # did you mean run?
slip maps mkae maze                                    # make?
slip maps make labyrinth                               # maze?
does maps make maze --rows 31 --cols 31 -o my.map
slip maps info mymap                                   # there is no such file
does maps info my.map
slip run my.map --planer rtaa                          # --planner?
slip run my.map --planner rtta                         # rtaa?
slip run my.map --planner "dstar lite"                 # d-star-lite?
slip run my.map --planner rtaa:lokahead=9              # lookahead?
slip run my.map --planner rtaa:lookahead=many          # a whole number
slip run my.map --planner "D* Lite:lookahead=9"        # it has no such option
slip run my.map --start 0,0 --goal 99,99               # outside the map
slip run my.map --sensor raduis:3                      # a sensor is ...
does run my.map --planner "A*" --save trip.json
does run my.map --planner rtaa:lookahead=9 --json
does compare my.map --planner "A*" --planner rtaa --problems 3 --csv table.csv
slip compare my.map --planner "A*" --csv nowhere/table.csv
slip planners rtda                                     # rtd?
does planners rtaa
does planners "A*"
slip results export x --csv nowhere/x.csv
echo "no slip was left without an answer"
