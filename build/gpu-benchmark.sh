#!/bin/sh
# Measures this machine's GPU in ten minutes: the device, primitives beside a copy of the same bytes, the rows of the paper's
# tables, the fits. With Node, this tree (a built one, where no registry is near) and a driver of Vulkan:
#
#     build/gpu-benchmark.sh [NAME]        writes docs/measured/gpu-NAME.json; NAME is the day unless said
#
# ELEMENTS: elements of D1; SIZE: D1, D2 or D1/10; ROWS: how the names of the paper's rows begin that are measured;
# SECONDS_IN_ALL: 600 unless said; FOLDER: where the file goes. What a suite has measured when its time is over is kept: it is
# told to stop, and prints that. Ends with 1 where a suite failed, whose rows are null then.
set -u
cd "$(dirname "$0")/.." || exit 1

name=${1:-$(date +%F)}
folder=${FOLDER:-docs/measured}
seconds=${SECONDS_IN_ALL:-600}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failed=0

# Before the clock starts.
if command -v npm >/dev/null; then
  npm start --silent -- --version >"$scratch/version" || exit 1
else
  node out/cli/cotangent.mjs --version >"$scratch/version" || exit 1
fi

# run SHARE FILE ARGUMENTS…: so many percent of the time, its JSON in a file.
run() {
  share=$1 file=$scratch/$2
  shift 2
  timeout --signal=INT --kill-after=20 "$((seconds * share / 100))" node out/cli/cotangent.mjs "$@" --json >"$file"
  status=$?
  # 124 and 130: stopped, with what there was.
  case $status in 0 | 124 | 130) ;; *) failed=1 ;; esac
  node -e 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))' "$file" 2>/dev/null || { echo null >"$file"; failed=1; }
}

measure() {
  share=$1 suite=$2
  shift 2
  run "$share" "$suite" benchmark "$suite" --device webgpu --precision f32 --size "${SIZE:-D1}" \
    ${ELEMENTS:+--elements "$ELEMENTS"} "$@"
}

run 5 devices devices
measure 15 primitives
measure 55 paper --only "${ROWS:-}"
measure 25 fits

mkdir -p "$folder" || exit 1
{
  printf '{\n"version": "%s",\n' "$(tr -d '\n"' <"$scratch/version")"
  printf '"devices": %s,\n"primitives": %s,\n"paper": %s,\n"fits": %s\n}\n' \
    "$(cat "$scratch/devices")" "$(cat "$scratch/primitives")" "$(cat "$scratch/paper")" "$(cat "$scratch/fits")"
} >"$scratch/whole" && cp "$scratch/whole" "$folder/gpu-$name.json.new" && mv "$folder/gpu-$name.json.new" "$folder/gpu-$name.json" || exit 1
echo "$folder/gpu-$name.json"
exit $failed
