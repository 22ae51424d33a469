/** The prefix of reasons for a worker that could not be started. No other one can start either until a person acts. */
export const NOT_STARTED = 'it could not be started: '
