/** What `read` returns, else `otherwise`. For questions where whatever is thrown is the answer; the caller says which one. */
export function orElse<T, E>(read: () => T, otherwise: E): T | E {
  try {
    return read()
  } catch {
    return otherwise
  }
}
