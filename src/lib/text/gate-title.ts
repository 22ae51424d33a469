/** What people call a gate; its name is a key. */
export const gateTitle = (gate: string): string => TITLES[gate] ?? gate.replaceAll('_', ' ')

const TITLES: Readonly<Record<string, string>> = {
  tests_to_add: 'new tests',
  tests_to_run: 'required tests',
  lint_typecheck: 'lint and types',
  no_orphan_todo: 'TODO check',
  unit: 'unit tests',
  held_out: 'held-out checks',
}
