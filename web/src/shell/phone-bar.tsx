/** On a phone: four places at the bottom, within reach of a thumb. */
import { Link } from '@tanstack/react-router'
import { Ellipsis, ListTodo, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { useSnapshot } from '../api/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { MORE, NEEDS_YOU, START, WORKERS } from './navigation.ts'
import { countNeeds } from './needs-you.ts'
import { folderName, listedPlans, progressOf } from './progress.ts'

const ITEM = 'flex h-14 flex-col items-center justify-center gap-0.5 text-[11px] text-muted'
const ROW = 'flex min-h-11 items-center gap-3 rounded-md px-2 text-base hover:bg-hover'

export function PhoneBar() {
  const { data } = useSnapshot()
  const [sheet, setSheet] = useState<'plans' | 'more' | null>(null)
  const [isAll, setAll] = useState(false)
  const { listed, hidden } = listedPlans(data?.plans ?? [], isAll)
  const close = (): void => setSheet(null)
  const count = countNeeds(data)
  return (
    <nav
      aria-label="Pages"
      className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-4 border-t bg-bg pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <Link
        to="/"
        activeOptions={{ exact: true, includeSearch: false }}
        activeProps={{ className: 'font-medium text-text' }}
        className={ITEM}
      >
        <NEEDS_YOU.icon size={20} aria-hidden="true" />
        Needs you{count === 0 ? '' : ` ${count ?? '?'}`}
      </Link>
      <SheetButton icon={ListTodo} label="Plans" onPress={() => setSheet('plans')} />
      <Link to="/workers" activeProps={{ className: 'font-medium text-text' }} className={ITEM}>
        <WORKERS.icon size={20} aria-hidden="true" />
        Workers
      </Link>
      <SheetButton icon={Ellipsis} label="More" onPress={() => setSheet('more')} />
      <Dialog isOpen={sheet === 'plans'} onClose={close} title="Plans">
        <ul className="-mx-2 flex flex-col">
          {listed.map((plan) => {
            const { done, total } = progressOf(plan)
            return (
              <li key={`${plan.repo}\n${plan.id}`}>
                <Link
                  to="/p/$plan"
                  params={{ plan: plan.id }}
                  search={{ repo: plan.repo }}
                  onClick={close}
                  className={ROW}
                >
                  <span className="min-w-0 flex-1 truncate">{visibleText(plan.title ?? plan.id)}</span>
                  <span className="text-sm text-muted">
                    {visibleText(folderName(plan.repo))} · {done}/{total}
                  </span>
                </Link>
              </li>
            )
          })}
          {hidden > 0 && (
            <li>
              <button type="button" onClick={() => setAll(true)} className={`${ROW} w-full text-muted`}>
                {hidden} more that ended
              </button>
            </li>
          )}
          <li>
            <Link to={START.to} onClick={close} className={ROW}>
              <START.icon size={20} aria-hidden="true" />
              {START.label}
            </Link>
          </li>
        </ul>
      </Dialog>
      <Dialog isOpen={sheet === 'more'} onClose={close} title="More">
        <ul className="-mx-2 flex flex-col">
          {MORE.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link to={to} onClick={close} className={ROW}>
                <Icon size={20} aria-hidden="true" />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </Dialog>
    </nav>
  )
}

function SheetButton({
  icon: Icon,
  label,
  onPress,
}: {
  readonly icon: LucideIcon
  readonly label: string
  readonly onPress: () => void
}) {
  return (
    <button type="button" aria-haspopup="dialog" onClick={onPress} className={ITEM}>
      <Icon size={20} aria-hidden="true" />
      {label}
    </button>
  )
}
