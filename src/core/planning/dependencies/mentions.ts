/** Finds the tasks and files a text mentions. */

const LIST =
  /\btasks?\s+#?([A-Za-z]{0,6}-?\d[\w.-]*(?:\s*(?:,|and|&|\+|or|-|–|—|to|through|,\s*and)\s*(?:task\s+)?#?[A-Za-z]{0,6}-?\d[\w.-]*)*)/gi
const BARE = /\b[A-Za-z]{1,6}-?\d[\w.-]*\b/g
const RANGE = /^(.+?)\s*(?:-|–|—|to|through)\s*(?:task\s+)?#?(.+)$/i
const DENIAL =
  /\b(independent(ly)? (of|from)|(not|n't) (depend|rely|touch|need|block)\w*( on)?|no dependency on|unlike|unrelated to|parallel (with|to)|before|instead of)\s*$/i
const LONGEST_RANGE = 50
const MOST_MENTIONS = 50
const TEXT_LIMIT = 50_000

/** The places of tasks in a plan, by id. */
export type Places = ReadonlyMap<string, number>

/**
 * Finds the tasks a text mentions ("Task 3", "Tasks 2, 3 and 5", "tasks 1–4", "T-01"): their places, each once, in plan
 * order.
 */
export function mentionFinder(places: Places): (text: string) => readonly number[] {
  const bareIds = [...places.keys()].some((id) => /^[A-Za-z]{1,6}-?\d/.test(id))
  return (text) => {
    const read = text.slice(0, TEXT_LIMIT)
    const denied = (at: number): boolean => DENIAL.test(read.slice(Math.max(0, at - 40), at))
    const found = new Set<number>()
    for (const match of read.matchAll(LIST)) {
      if (denied(match.index)) continue
      for (const place of placesInList(match[1] ?? '', places)) found.add(place)
    }
    for (const match of bareIds ? read.matchAll(BARE) : []) {
      const place = places.get(withoutFullStop(match[0]))
      if (place !== undefined && !denied(match.index)) found.add(place)
    }
    return [...found].slice(0, MOST_MENTIONS).sort((a, b) => a - b)
  }
}

function placesInList(list: string, places: Places): readonly number[] {
  return list
    .split(/\s*(?:,|&|\+|\band\b|\bor\b)\s*/i)
    .map((item) =>
      item
        .replace(/^task\s+/i, '')
        .replace(/^#/, '')
        .trim(),
    )
    .flatMap((item) => placesOf(item, places))
}

function placesOf(item: string, places: Places): readonly number[] {
  const exact = places.get(withoutFullStop(item))
  if (exact !== undefined) return [exact]
  const range = RANGE.exec(item)
  const from = places.get(withoutFullStop(range?.[1] ?? ''))
  const to = places.get(withoutFullStop(range?.[2] ?? ''))
  if (from === undefined || to === undefined || to < from || to - from > LONGEST_RANGE) return []
  return Array.from({ length: to - from + 1 }, (_, step) => from + step)
}

function withoutFullStop(id: string): string {
  return id.replace(/[.-]+$/, '')
}

const PATH = /(?<![\w.@/-])[\w.@-]+(?:\/[\w.@[\]-]+)+/g

/** Paths in a text, each once. `cd a && test b/c` yields `b/c` and `a/b/c`. */
export function mentionedPaths(text: string): readonly string[] {
  const found = new Set<string>()
  for (const line of text.slice(0, TEXT_LIMIT).split('\n')) {
    const folder = /\bcd\s+([\w./@-]+?)\/?\s*(?:&&|;)/.exec(line)?.[1]
    for (const [path] of line.matchAll(PATH)) {
      const plain = path.replace(/^\.\//, '').replace(/[.:-]+$/, '')
      found.add(plain)
      if (folder !== undefined) found.add(`${folder.replace(/^\.\//, '')}/${plain}`)
    }
  }
  return [...found]
}
