/** Detects paths that leave the repository. */

const HOME = /^(~|\$HOME\b|\$\{HOME\})/
const SYSTEM =
  /^\/(Users|home|root|etc|tmp|var|usr|opt|private|mnt|media|srv|Library|Applications|Volumes|System|bin|sbin|proc|sys|dev)(\/|$)/
const HARMLESS_DEVICE = /^\/dev\/(null|stdin|stdout|stderr|tty|zero|urandom|random|fd\/\d)$/
const DRIVE = /^[A-Za-z]:[\\/]/

/** For a path in a file list: absolute, in a home folder, or above the root. */
export function leavesRepository(path: string): boolean {
  if (HOME.test(path) || path.startsWith('/') || DRIVE.test(path)) return true
  return resolved('', path) === null
}

export function isAbsolute(path: string): boolean {
  return /^\/[\w.-]/.test(path) && !HARMLESS_DEVICE.test(path)
}

export function isHomePath(path: string): boolean {
  return HOME.test(path)
}

/** For a word of a command, only known roots count: other absolute paths may be patterns or routes (`/api/health`). */
export function wordLeaves(word: string, folder: string): boolean {
  const value = /^-{1,2}[\w-]{1,60}=(.*)$/s.exec(word)?.[1] ?? word
  const path = value.replace(/^\d?[<>]{1,2}/, '')
  if (HARMLESS_DEVICE.test(path)) return false
  if (/^~(\/|$)/.test(path) || /^(\$HOME|\$\{HOME\})(\/|$)/.test(path) || SYSTEM.test(path)) return true
  return /^\.\.(\/|$)|\/\.\.(\/|$)/.test(path) && !/[\s*]/.test(path) && resolved(folder, path) === null
}

/** Resolves a path of a command in `folder` against the root; null if above the root. */
export function resolved(folder: string, path: string): string | null {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split(/[\\/]/)) {
    if (part === '..') {
      if (parts.length === 0) return null
      parts.pop()
    } else if (part !== '' && part !== '.') {
      parts.push(part)
    }
  }
  return parts.join('/')
}
