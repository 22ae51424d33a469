/**
 * `bosun-checkin` as a worker finds it on its PATH: POSIX sh and awk, so that it starts no Node. It writes one small
 * file and returns; nothing it is given is ever run or read as a pattern.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../lib/whole-file.ts'

export const CHECKIN_COMMAND = 'bosun-checkin'

/** Puts the commands a worker may call into a folder. */
export function installWorkerTools(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeWhole(join(folder, CHECKIN_COMMAND), CHECKIN_SCRIPT, 0o755)
}

const CHECKIN_SCRIPT = `#!/bin/sh
# bosun-checkin STATUS PCT [--current-step S] [--next-step S] [--time-remaining S] [--token-usage N] [--issue S]...
#   [--request TYPE]... [--deliverables S] [--failure-reason S] [--tool-start NAME | --tool-end NAME]
set -u
umask 077
if [ -z "\${BOSUN_WORKER_ID:-}" ] || [ -z "\${BOSUN_COORDINATION:-}" ]; then
  echo 'bosun-checkin: BOSUN_WORKER_ID and BOSUN_COORDINATION are not set; only a worker can check in' >&2
  exit 2
fi
folder="$BOSUN_COORDINATION/worker-checkins"
mkdir -p "$folder" || exit 1
stamp=$(date -u +%Y%m%dT%H%M%SZ)
file="$BOSUN_WORKER_ID-$stamp-$$.json"
BOSUN_CHECKIN_STAMP=$stamp LC_ALL=C awk '
function quoted(value,   out, i, c) {
  out = ""
  for (i = 1; i <= length(value); i++) {
    c = substr(value, i, 1)
    if (c == "\\\\" || c == "\\"") out = out "\\\\" c
    else if (c == "\\n") out = out "\\\\n"
    else if (c == "\\t") out = out "\\\\t"
    else if (c < " " || c == "\\177") out = out " "
    else out = out c
  }
  return "\\"" out "\\""
}
function fail(message) {
  print "bosun-checkin: " message > "/dev/stderr"
  failed = 1
  exit 2
}
BEGIN {
  known["--current-step"] = "current_step"; known["--next-step"] = "next_step"
  known["--time-remaining"] = "time_remaining_estimate"; known["--deliverables"] = "deliverables"
  known["--tool-start"] = "tool_start"; known["--tool-end"] = "tool_end"
  status = ARGV[1]; pct = ARGV[2]
  if (status !~ /^(starting|in_progress|blocked|completed|failed)$/)
    fail("STATUS is starting, in_progress, blocked, completed or failed")
  if (pct !~ /^[0-9]+$/ || pct + 0 > 100) fail("PCT is a number from 0 to 100")
  stamp = ENVIRON["BOSUN_CHECKIN_STAMP"]
  at = substr(stamp, 1, 4) "-" substr(stamp, 5, 2) "-" substr(stamp, 7, 5) ":" substr(stamp, 12, 2) ":" substr(stamp, 14)
  json = "{\\"worker_id\\":" quoted(ENVIRON["BOSUN_WORKER_ID"]) ",\\"timestamp\\":" quoted(at) \\
    ",\\"token\\":" quoted(ENVIRON["BOSUN_TOKEN"]) ",\\"status\\":" quoted(status) ",\\"progress_pct\\":" (pct + 0)
  for (i = 3; i < ARGC; i += 2) {
    flag = ARGV[i]
    if (i + 1 >= ARGC) fail(flag " needs a value")
    value = substr(ARGV[i + 1], 1, 4000)
    if (flag == "--issue") issues = issues (issues == "" ? "" : ",") quoted(value)
    else if (flag == "--request") requests = requests (requests == "" ? "" : ",") quoted(value)
    else if (flag == "--failure-reason") json = json ",\\"failure\\":{\\"reason\\":" quoted(value) "}"
    else if (flag == "--token-usage") {
      if (value !~ /^[0-9]+$/) fail("--token-usage is a number")
      json = json ",\\"token_usage\\":" (value + 0)
    }
    else if (flag in known) json = json ",\\"" known[flag] "\\":" quoted(value)
    else fail("unknown option " flag)
  }
  if (issues != "") json = json ",\\"issues\\":[" issues "]"
  if (requests != "") json = json ",\\"requests\\":[" requests "]"
  print json "}"
  exit
}
END { if (failed) exit 2 }
' "$@" > "$folder/.$file.part"
code=$?
if [ "$code" -ne 0 ]; then
  rm -f "$folder/.$file.part"
  exit "$code"
fi
mv "$folder/.$file.part" "$folder/$file"
`
