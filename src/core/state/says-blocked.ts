/** How a worker's own word on being blocked begins, wherever it is quoted. */
export const SAYS_BLOCKED = 'it says that it is blocked'
