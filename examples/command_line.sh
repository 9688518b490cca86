#!/bin/sh
# The command line, as somebody types who has not read the manual: every slip is answered, as it says behind it.
#
#     sh examples/command_line.sh          (in an empty folder; replan has to be on the PATH)

slip() { echo "\$ replan $*"; replan "$@" 2>&1; [ $? -eq 2 ] || exit 1; }   # refused, in a sentence
does() { echo "\$ replan $*"; replan "$@" || exit 1; }

slip rnu                                               # did you mean run?
slip maps mkae maze                                    # did you mean make?
slip maps make labyrinth                               # did you mean maze?
does maps make maze --rows 31 --cols 31 -o my.map
slip maps info mymap                                   # did you mean my.map?
does maps info my.map
slip run my.map --planer rtaa                          # Did you mean '--planner'?
slip run my.map --planner rtta                         # did you mean rta, rtaa or lrta?
slip run my.map --planner "dstar lite"                 # did you mean d-star-lite?
slip run my.map --planner rtaa:lokahead=9              # did you mean lookahead?
slip run my.map --planner rtaa:lookahead=many          # a whole number of expansions from 1
slip run my.map --planner "D* Lite:lookahead=9"        # D* Lite has no option 'lookahead'
slip run my.map --start 0,0 --goal 99,99               # cell (99, 99) is outside the map of 31 rows and 31 columns
slip run my.map --sensor raduis:3                      # or a radius in cells such as 7
does run my.map --planner "A*" --save trip.json
does run my.map --planner rtaa:lookahead=9 --json
does compare my.map --planner "A*" --planner rtaa --problems 3 --csv table.csv
slip compare my.map --planner "A*" --csv nowhere/table.csv       # nowhere/table.csv: cannot be written
slip advise my.map --episode 20                        # such as 20us, 1.5ms or 2min
slip planners rtda                                     # did you mean rtd, rta or rtaa?
does planners rtaa
does planners "A*"
slip reproduce rtta                                    # did you mean rtaa
slip results export x --csv nowhere/x.csv              # there are no results here
echo "no slip was left without an answer"
