/**
 * `bosun-checkin` as a worker finds it on its PATH: POSIX sh, so that it starts no Node, and next to nothing else. It
 * writes one small file and returns; nothing it is given is ever run or read as a pattern.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { atomicWriteSync } from '../../lib/files/atomic-write.ts'

export const CHECKIN_COMMAND = 'bosun-checkin'

/** Puts the commands a worker may call into a folder. */
export function installWorkerTools(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  atomicWriteSync(join(folder, CHECKIN_COMMAND), CHECKIN_SCRIPT, { mode: 0o755 })
}

// Every program it starts costs about a millisecond: `date` and `mv` for an ordinary one, `awk` for odd characters.
const CHECKIN_SCRIPT = `#!/bin/sh
# bosun-checkin STATUS PCT [--current-step S] [--next-step S] [--time-remaining S] [--token-usage N] [--issue S]...
#   [--request TYPE]... [--metric NAME=N]... [--deliverables S] [--tests-passed N] [--tests-failed N] [--failing-test NAME]...
#   [--tool-start NAME | --tool-end NAME]
#   [--failure-reason S [--failure-category S] [--can-retry yes|no]]
set -u
umask 077
LC_ALL=C
export LC_ALL

fail() {
  printf 'bosun-checkin: %s\\n' "$1" >&2
  exit 2
}

# Sets $quoted to the value as JSON: cut at 2,000 bytes, between two characters.
quote() {
  case $1 in
    *[!\\ -~]* | *\\"* | *\\\\*) ;;
    *)
      if [ "\${#1}" -le 2000 ]; then
        quoted="\\"$1\\""
        return
      fi
      ;;
  esac
  quoted=$(awk 'BEGIN {
    for (i = 1; i < 32; i++) escape[sprintf("%c", i)] = sprintf("\\\\u%04x", i)
    escape["\\\\"] = "\\\\\\\\"; escape["\\""] = "\\\\\\""; escape["\\177"] = "\\\\u007f"
    value = substr(ARGV[1], 1, 2000)
    if (length(ARGV[1]) > 2000) sub(/[\\300-\\377][\\200-\\277]*$/, "", value)
    out = ""
    for (i = 1; i <= length(value); i++) {
      c = substr(value, i, 1)
      out = out (c in escape ? escape[c] : c)
    }
    print "\\"" out "\\""
    exit
  }' "$1") || exit 1
}

# Whether it is digits, and not too many.
is_count() {
  case $1 in '' | *[!0-9]*) return 1 ;; esac
  [ "\${#1}" -le 15 ]
}

# Sets $number to digits as JSON writes them.
count() {
  number=$1
  while :; do
    case $number in 0?*) number=\${number#0} ;; *) return ;; esac
  done
}

is_number() {
  unsigned=\${1#-}
  case $unsigned in
    *.*) is_count "\${unsigned%%.*}" && is_count "\${unsigned#*.}" ;;
    *) is_count "$unsigned" ;;
  esac
}

text() {
  quote "$2"
  json="$json,\\"$1\\":$quoted"
}

worker=\${BOSUN_WORKER_ID:-}
if [ -z "$worker" ] || [ -z "\${BOSUN_COORDINATION:-}" ]; then
  fail 'BOSUN_WORKER_ID and BOSUN_COORDINATION are not set; only a worker can check in'
fi
case $worker in *[!a-z0-9-]*) fail 'BOSUN_WORKER_ID is not the id of a worker' ;; esac
case \${1:-} in
  starting | in_progress | blocked | completed | failed) ;;
  *) fail 'STATUS is starting, in_progress, blocked, completed or failed' ;;
esac
is_count "\${2:-}" && count "$2" && [ "$number" -le 100 ] || fail 'PCT is a number from 0 to 100'
status=$1 percent=$number
shift 2

json='' issues='' requests='' metrics='' results='' failing='' outcome=passed reason='' category='' retry=''
while [ $# -gt 0 ]; do
  flag=$1
  case $flag in
    --current-step | --next-step | --time-remaining | --token-usage | --issue | --request | --metric | --deliverables | \\
      --tool-start | --tool-end | --tests-passed | --tests-failed | --failing-test | --failure-reason | --failure-category | --can-retry) ;;
    *) fail "unknown option $flag" ;;
  esac
  [ $# -ge 2 ] || fail "$flag needs a value"
  value=$2
  shift 2
  case $flag in
    --current-step) text current_step "$value" ;;
    --next-step) text next_step "$value" ;;
    --time-remaining) text time_remaining_estimate "$value" ;;
    --deliverables) text deliverables "$value" ;;
    --tool-start) text tool_start "$value" ;;
    --tool-end) text tool_end "$value" ;;
    --issue)
      quote "$value"
      issues="$issues\${issues:+,}$quoted"
      ;;
    --request)
      quote "$value"
      requests="$requests\${requests:+,}$quoted"
      ;;
    --tests-passed | --tests-failed)
      is_count "$value" || fail "$flag is a number"
      count "$value"
      case $flag$number in --tests-failed0 | --tests-passed*) ;; *) outcome=failed ;; esac
      results="$results,\\"\${flag#--tests-}\\":$number"
      ;;
    --failing-test)
      quote "$value"
      failing="$failing\${failing:+,}$quoted" outcome=failed
      ;;
    --failure-reason)
      quote "$value"
      reason=$quoted
      ;;
    --failure-category)
      quote "$value"
      category=",\\"category\\":$quoted"
      ;;
    --can-retry)
      case $value in
        yes) retry=',"can_retry":true' ;;
        no) retry=',"can_retry":false' ;;
        *) fail '--can-retry is yes or no' ;;
      esac
      ;;
    --token-usage)
      is_count "$value" || fail '--token-usage is a number'
      count "$value"
      json="$json,\\"token_usage\\":$number"
      ;;
    --metric)
      name=\${value%%=*}
      case $name in '' | *[!A-Za-z0-9_.-]*) fail '--metric is NAME=N, the name of letters, digits, _, . and -' ;; esac
      is_number "\${value#*=}" || fail '--metric is NAME=N, with a number'
      unsigned=\${value#*=}
      sign=''
      case $unsigned in -*) sign=- unsigned=\${unsigned#-} ;; esac
      count "\${unsigned%%.*}"
      case $unsigned in *.*) number=$number.\${unsigned#*.} ;; esac
      metrics="$metrics\${metrics:+,}\\"$name\\":$sign$number"
      ;;
  esac
done
if [ -n "$category$retry" ] && [ -z "$reason" ]; then
  fail '--failure-category and --can-retry need --failure-reason'
fi

stamp=$(date -u +%Y%m%dT%H%M%SZ) || exit 1
day=\${stamp%T*} time=\${stamp#*T}
at="\${day%????}-\${day#????}" at="\${at%??}-\${at#???????}"
clock="\${time%?????}:\${time#??}" clock="\${clock%???}:\${clock#?????}"
token=''
if [ -n "\${BOSUN_TOKEN:-}" ]; then
  quote "$BOSUN_TOKEN"
  token=",\\"token\\":$quoted"
fi
json="{\\"worker_id\\":\\"$worker\\",\\"timestamp\\":\\"\${at}T$clock\\"$token,\\"status\\":\\"$status\\",\\"progress_pct\\":$percent$json"
[ -z "$issues" ] || json="$json,\\"issues\\":[$issues]"
[ -z "$requests" ] || json="$json,\\"requests\\":[$requests]"
[ -z "$metrics" ] || json="$json,\\"metrics\\":{$metrics}"
[ -z "$failing" ] || results="$results,\\"failing\\":[$failing]"
[ -z "$results" ] || json="$json,\\"tests\\":{\\"outcome\\":\\"$outcome\\"$results}"
[ -z "$reason" ] || json="$json,\\"failure\\":{\\"reason\\":$reason$category$retry}"

name=$worker-$stamp-$$
# Leaves the check-in in a folder, whole or not at all.
leave() {
  [ -d "$1" ] || mkdir -p "$1" || return 1
  printf '%s}\\n' "$json" > "$1/.$name.part" && mv "$1/.$name.part" "$1/$name.json" && return
  rm -f "$1/.$name.part"
  return 1
}
folder=$BOSUN_COORDINATION/worker-checkins
# A sandbox may let it write in its clone only; its supervisor passes on what it leaves there.
outbox=\${BOSUN_OUTBOX:+$BOSUN_OUTBOX/checkins}
if ! leave "$folder" 2> /dev/null && { [ -z "$outbox" ] || ! leave "$outbox" 2> /dev/null; }; then
  printf 'bosun-checkin: the check-in could not be written to %s\\n' "$folder" >&2
  exit 1
fi

# The messages for this worker, oldest first. What it may not remove it marks as read.
for message in "$BOSUN_COORDINATION/worker-messages/$worker"/?.txt \\
  "$BOSUN_COORDINATION/worker-messages/$worker"/??.txt "$BOSUN_COORDINATION/worker-messages/$worker"/???.txt; do
  [ -f "$message" ] || continue
  mark=\${message##*/}
  mark=$outbox/.read-\${mark%.txt}
  [ -z "$outbox" ] || [ ! -f "$mark" ] || continue
  while IFS= read -r line || [ -n "$line" ]; do printf '%s\\n' "$line"; done < "$message"
  rm -f "$message" 2> /dev/null || [ ! -d "$outbox" ] || printf '' > "$mark"
done
exit 0
`
