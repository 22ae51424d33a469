/** The berths of a harbour, in a row: each holds the name of a ship, or null. */
export function emptyBerths(count) {
  return Array.from({ length: count }, () => null)
}

/** The berths with the ship in the first free one. */
export function moor(berths, ship) {
  const free = berths.indexOf(null)
  if (free === -1) throw new RangeError('the harbour is full')
  return berths.map((name, place) => (place === free ? ship.name : name))
}
