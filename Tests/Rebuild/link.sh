#!/bin/bash
# link.sh AREA/FILE ... : runs a public test against the core that is being rebuilt.
cd "$(dirname "$0")"
for f in "$@"; do mkdir -p Tests/PlugTests/$(dirname $f); ln -sf ../../../../PlugTests/$f Tests/PlugTests/$f; done
