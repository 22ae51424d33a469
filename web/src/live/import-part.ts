/**
 * Parts of the page that are loaded when they are first shown. Without the daemon they wait for it: what is on the screen stays,
 * and what was typed with it. A page of an earlier build, whose files are gone, is loaded again.
 */

const RETRY_MS = 1000
const RELOADED = 'bosun.reloaded'
/** A page that was just loaded is of the present build: loading it again would bring the same. */
const AGAIN_MS = 10_000

export async function importPart<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (await isAnswering()) throw error
      do await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      while (!(await isAnswering()))
    }
  }
}

/** Whether the daemon serves the page at all. */
async function isAnswering(): Promise<boolean> {
  try {
    return (await fetch('/', { method: 'HEAD', cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/** Once, when the page starts. */
export function listenForMissingParts(): void {
  addEventListener('vite:preloadError', () => void loadPageAgain())
}

async function loadPageAgain(): Promise<void> {
  // A browser shows its own page in the place of one that it cannot load.
  if (!(await isAnswering())) return
  const before = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (Date.now() - before < AGAIN_MS) return
  sessionStorage.setItem(RELOADED, String(Date.now()))
  location.reload()
}
