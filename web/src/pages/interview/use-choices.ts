import { useDraft } from '../../ui/draft.ts'
import type { Choices } from './reply.ts'

/** What was chosen so far, kept over reloads under a name of its own. */
export function useChoices(name: string): readonly [Choices, (choices: Choices) => void] {
  const [text, setText] = useDraft(`${name}:choices`)
  const set = (choices: Choices): void => {
    const left = Object.entries(choices).filter(([, choice]) => choice !== undefined)
    setText(left.length === 0 ? '' : JSON.stringify(Object.fromEntries(left)))
  }
  return [choicesIn(text), set]
}

function choicesIn(text: string): Choices {
  if (text === '') return {}
  try {
    return JSON.parse(text) as Choices
  } catch {
    // Written by another version of the page.
    return {}
  }
}
