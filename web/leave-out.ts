/** Leaves out of the page what the diff's highlighter could load but never does: its other engines, themes and 300 languages. */
import { join } from 'node:path'
import type { Plugin } from 'vite'

const LANGUAGES = join(import.meta.dirname, 'src/pages/diff/shiki-languages.ts')
const NOT_SHIPPED = '\0not-shipped'
const LEFT_OUT =
  /^(@pierre\/highlights(\/.*)?|@pierre\/theming\/themes|shiki\/(wasm|themes|engine\/oniguruma))$/

const STUB = `
export const bundledLanguages = {}
export const themes = { getTheme: () => undefined }
const missing = () => { throw new Error('this part is not shipped with the page') }
export {
  missing as createOnigurumaEngine,
  missing as LiveTokenizer,
  missing as codeToTokens,
  missing as isSupportedLanguage,
  missing as default,
}
`

/** In a worker no language is loaded: the page sends it those that it needs. */
export const leaveOut = (place: 'page' | 'worker'): Plugin => ({
  name: 'leave-out',
  enforce: 'pre',
  resolveId(id) {
    if (id === 'shiki/langs') return place === 'page' ? LANGUAGES : NOT_SHIPPED
    return LEFT_OUT.test(id) ? NOT_SHIPPED : null
  },
  load: (id) => (id === NOT_SHIPPED ? STUB : null),
})
