/** How a worker that could not be started says so: no other worker could be started either, until a person acts. */
export const NOT_STARTED = 'it could not be started: '
