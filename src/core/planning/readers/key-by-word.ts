/** For each word of a table, the key that lists it. */
export function keyByWord<K extends string>(
  table: Readonly<Record<K, readonly string[]>>,
): ReadonlyMap<string, K> {
  const entries = Object.entries(table) as [K, readonly string[]][]
  return new Map(entries.flatMap(([key, words]) => words.map((word) => [word, key] as const)))
}
