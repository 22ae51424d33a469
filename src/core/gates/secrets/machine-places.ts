/** Paths of this machine that mean nothing on any other: work that names one works nowhere else, and tells who runs it. */
import type { Finding } from '../../event-schemas/evidence.ts'
import { linesBefore, type Change } from '../change.ts'
import { blocking } from '../verdicts.ts'

export interface MachinePlace {
  /** `the repository's folder`. */
  readonly kind: string
  /** Absolute, without a slash at its end. */
  readonly path: string
}

/** Homes and folders that every image and every example has: a text that names one does not mean this machine. */
const USUAL =
  /^\/(?:root|home\/(?:user|me|you|ubuntu|debian|node|app|vscode|runner|admin|jovyan|ec2-user|dev|developer|username|vagrant)|Users\/(?:user|me|you|username|admin|runner)|usr\/src\/\w+|usr\/local\/\w+|workspaces?(?:\/\w+)?|var\/www(?:\/\w+)?|github\/workspace)$/

/** Those that could not stand in a text about another machine. */
export function tellingPlaces(places: readonly MachinePlace[]): readonly MachinePlace[] {
  const plain = places.map(({ kind, path }) => ({ kind, path: path.replace(/\/+$/, '') }))
  // The longest first: a clone lies below the home folder, and is named as what it is.
  return plain
    .filter(({ path }) => /^(?:\/[^/]+){2,}$/.test(path) && !USUAL.test(path))
    .sort((one, other) => other.path.length - one.path.length)
}

const MOST = 20

/** Added lines that name one of these, where nothing that was changed named it before. */
export function placesIn({ files }: Change, places: readonly MachinePlace[]): readonly Finding[] {
  const sought = tellingPlaces(places)
  if (sought.length === 0) return []
  const before = files.flatMap((file) => linesBefore(file) ?? [])
  const fresh = sought.filter(({ path }) => !before.some((line) => names(line, path)))
  const found = files.flatMap((file) =>
    file.added.flatMap(({ line, text }) => {
      const place = fresh.find(({ path }) => names(text, path))
      if (place === undefined) return []
      const why = `an absolute path of this machine (${place.kind})`
      return [blocking(why, file.path, line)]
    }),
  )
  return found.slice(0, MOST)
}

/** As a whole path, or as the beginning of one: `/home/ann` is not in `/home/anna`, nor in `https://x.org/home/ann`. */
function names(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const [before, after] = [text[at - 1] ?? '', text[at + path.length] ?? '']
    const isFile = text.slice(0, at).endsWith('file://')
    if ((isFile || !/[\w.~/-]/.test(before)) && !/[\w-]/.test(after)) return true
  }
  return false
}
