import type { Problem } from '../../api/client.ts'
import { PlainText } from '../../ui/plain-text.tsx'

const SHOWN = 20

/** Everything that is wrong with a document, with its lines. */
export function ProblemList({ problems }: { readonly problems: readonly Problem[] }) {
  return (
    <ol className="flex flex-col divide-y rounded-md border text-sm">
      {problems.slice(0, SHOWN).map(({ line, message, remedy }, at) => (
        <li key={`${line} ${at}`} className="flex gap-3 px-3 py-2">
          <span className="w-14 shrink-0 font-mono text-mono text-muted">line {line}</span>
          <span className="min-w-0">
            <PlainText text={message} />
            <span className="block text-xs text-muted">
              <PlainText text={remedy} />
            </span>
          </span>
        </li>
      ))}
      {problems.length > SHOWN && (
        <li className="px-3 py-2 text-muted">and {problems.length - SHOWN} more</li>
      )}
    </ol>
  )
}
