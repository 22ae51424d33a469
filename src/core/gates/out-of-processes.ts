/**
 * Detects that a command failed because of a process limit (ulimit -u, a container limit) by the messages of shells,
 * runtimes and tools. Such a command checked nothing.
 */
const SIGNS: readonly RegExp[] = [
  // dash, busybox, bash, zsh, make, git
  /^(?:\S*sh|\S*dash): (?:\d+: |line \d+: )?Cannot fork\s*$/,
  /\b(?:v?fork|can't fork|cannot fork\(\) for [^:]{1,80}|fork\/exec [^:]{1,300})(?: failed)?: (?:retry: )?resource temporarily unavailable/i,
  // Node
  /\bspawn(?:Sync)? \S{1,300} EAGAIN\b/,
  // Python
  /\bRuntimeError: can't start new thread\b/,
  // Go
  /\bruntime: failed to create new OS thread\b/,
  // Java
  /\bunable to create (?:new )?native thread\b/i,
  // Rust
  /\bfailed to spawn thread: Os \{ code: 11\b/,
  // C and C++ programs
  /\bpthread_create(?:\(\))?(?: failed)?: (?:Resource temporarily unavailable|EAGAIN)/,
]

const LONGEST_LINE = 500
const SHOWN = 160

/** The matching line, or null. */
export function outOfProcesses(output: string): string | null {
  const lines = output.split('\n').map((line) => line.slice(0, LONGEST_LINE).trimEnd())
  const found = lines.find((line) => SIGNS.some((sign) => sign.test(line)))
  return (found ?? forkOfPython(lines))?.trim().slice(0, SHOWN) ?? null
}

/** EAGAIN alone may come from any non-blocking file or socket; the call above shows that it was a fork. */
function forkOfPython(lines: readonly string[]): string | undefined {
  const fork = lines.findIndex((line) => /\b(?:_fork_exec|os\.fork)\(/.test(line))
  if (fork === -1) return undefined
  return lines
    .slice(fork)
    .find((line) => /\[Errno (?:11|35)\] Resource temporarily unavailable\s*$/.test(line))
}
