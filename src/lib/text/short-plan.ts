/** Long plan ids in lines that name several plans. */

const LONGEST = 20
/** Ids that were cut end with a hash, so the end tells them apart. */
const END = 6

export const shortPlan = (id: string): string =>
  id.length <= LONGEST ? id : `${id.slice(0, LONGEST - END - 1)}…${id.slice(-END)}`
