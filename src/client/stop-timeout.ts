/** How long a command waits for a daemon that it stops to exit; a daemon that stops gives up on its parts before that. */
export const STOP_TIMEOUT_MS = 60_000
