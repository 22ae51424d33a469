/** Languages that the page can colour; other files are shown as plain text. */
import { getFiletypeFromFileName, type SupportedLanguages } from '@pierre/diffs'
import { bundledLanguages } from './shiki-languages.ts'

export function languageOf(path: string): SupportedLanguages {
  const language = getFiletypeFromFileName(path)
  return Object.hasOwn(bundledLanguages, language) ? language : 'text'
}
