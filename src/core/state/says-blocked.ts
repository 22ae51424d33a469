/** The start of a worker's report that it is blocked, wherever it is quoted. Logs contain it, so it must not change. */
export const SAYS_BLOCKED = 'it says that it is blocked'
