/** Moves the focus to the next or the previous of these; to the first where none has it. */
export function moveFocus(
  links: readonly HTMLElement[],
  step: 1 | -1,
): { /** Whether the last one had the focus. */ readonly wasLast: boolean } {
  const at = links.findIndex((link) => link === document.activeElement)
  links[at === -1 ? 0 : Math.max(0, Math.min(links.length - 1, at + step))]?.focus()
  return { wasLast: at === links.length - 1 }
}
