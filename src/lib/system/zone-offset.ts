/** How far the clocks of a zone are before UTC at a moment; null for the name of no zone. Without a name, this machine's. */
export function zoneOffsetMs(zone: string | null, at: number): number | null {
  if (zone === null) return -new Date(at).getTimezoneOffset() * 60_000
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
    const offsetMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
    return sign === '-' ? -offsetMs : offsetMs
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
