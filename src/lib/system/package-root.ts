import { basename, join } from 'node:path'

/** The folder this program is installed in: above `src/lib/system`, or above `dist` where it is bundled. */
export const PACKAGE_ROOT = rootAbove(import.meta.dirname)

export function rootAbove(folder: string): string {
  return basename(folder) === 'dist' ? join(folder, '..') : join(folder, '../../..')
}
