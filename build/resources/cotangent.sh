#!/bin/sh
# `cotangent`, as it is installed. A fuse keeps Electron from being a plain Node: commands run on the system's own.
app=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
case "${1-}" in
  --version | --licenses | --help | -h) ;;
  # Chromium's own switches.
  -*) exec "$app/cotangent" "$@" ;;
esac
version=$(node --version 2>/dev/null) && version=${version#v} && version=${version%%.*}
if [ "${version:-0}" -ge 18 ] 2>/dev/null; then
  COTANGENT_APP="$app/cotangent" exec node "$app/resources/command-line/out/cli/cotangent.mjs" "$@"
fi
case "${1-}" in
  open) shift && exec "$app/cotangent" "$@" ;;
  # As the command line has it: no command has a dot, a slash or a colon in its name.
  '' | *[./:]*) exec "$app/cotangent" "$@" ;;
esac
echo "cotangent: commands need Node 18 or later, which is not here (Debian 12, Ubuntu 24.04: sudo apt install nodejs); 'cotangent' and 'cotangent FILE' open the window without." >&2
exit 2
