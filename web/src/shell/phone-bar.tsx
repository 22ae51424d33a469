/** On a phone: four places at the bottom, within reach of a thumb. */
import { Link } from '@tanstack/react-router'
import { Ellipsis, ListTodo, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { useSnapshot } from '../api/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { MORE, NEEDS_YOU, START, WORKERS } from './navigation.ts'
import { countNeeds } from './needs-you.ts'
import { PageLink, PlanItems } from './rail.tsx'

const ITEM = 'flex h-14 flex-col items-center justify-center gap-0.5 text-[11px] text-muted'
const ROW = 'flex min-h-11 items-center gap-3 rounded-md px-2 text-base hover:bg-hover'

export function PhoneBar() {
  const { data } = useSnapshot()
  const [sheet, setSheet] = useState<'plans' | 'more' | null>(null)
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
        <div className="-mx-2 flex flex-col">
          <PlanItems plans={data?.plans ?? []} look={ROW} onGo={close} />
          <ul>
            <PageLink to={START} look={ROW} onGo={close} />
          </ul>
        </div>
      </Dialog>
      <Dialog isOpen={sheet === 'more'} onClose={close} title="More">
        <ul className="-mx-2 flex flex-col">
          {MORE.map((one) => (
            <PageLink key={one.to} to={one} look={ROW} onGo={close} />
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
