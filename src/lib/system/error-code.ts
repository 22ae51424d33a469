/** The code of an error of the system, such as `ENOENT`; undefined where there is none. */
export const errorCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
