#!/bin/sh
# Exits with 1 while an accumulating map is left.
grep -q "array.map_accum (" "$1" && exit 1
exit 0
