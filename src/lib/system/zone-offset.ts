/** How far the clocks of a zone are before UTC at a moment; null for the name of no zone. Without a name, this machine's. */
export function zoneOffsetMs(zone: string | null, at: number): number | null {
  if (zone === null) return -new Date(at).getTimezoneOffset() * 60_000
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(at)
    const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
    const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
    return wall - Math.floor(at / 1000) * 1000
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
