import type { KeyboardEvent } from 'react'

/** Enter presses a focused button and sends a form; a decision takes the pointer or the space bar. A text keeps its line ends. */
export function withoutEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
}
