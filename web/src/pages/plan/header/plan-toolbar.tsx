/** Which view, and which tasks. All of it is in the address. */
import { ChartGantt, Columns3, List, ListFilter, Search, Waypoints } from 'lucide-react'
import { useRef, useState } from 'react'
import { useKeys } from '../../../shell/commands/keys.ts'
import { useSearchValue } from '../../../shell/use-search.ts'
import { Button, IconButton, Kbd } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Filter, Input } from '../../../ui/field.tsx'
import { Segments } from '../../../ui/tabs.tsx'
import { COLUMN_IDS, COLUMN_TITLES, isStuck, type PlanTask } from '../tasks/columns.ts'
import { TIERS, type View } from '../tasks/plan-search.ts'

const VIEW_ITEMS = [
  { key: 'board', label: <ViewLabel icon={Columns3} text="Board" /> },
  { key: 'list', label: <ViewLabel icon={List} text="List" /> },
  { key: 'graph', label: <ViewLabel icon={Waypoints} text="Graph" /> },
  { key: 'timeline', label: <ViewLabel icon={ChartGantt} text="Timeline" /> },
] as const

const STAGES = COLUMN_IDS.map((value) => ({ value, name: COLUMN_TITLES[value] }))
const TIER_NAMES = TIERS.map((value) => ({ value, name: value }))

export function PlanToolbar({ view, tasks }: { readonly view: View; readonly tasks: readonly PlanTask[] }) {
  const [, setView] = useSearchValue('view', 'board')
  const [query, setQuery] = useSearchValue('q')
  const [column, setColumn] = useSearchValue('column')
  const [tier, setTier] = useSearchValue('tier')
  const [stuck, setStuck] = useSearchValue('stuck')
  const input = useRef<HTMLInputElement>(null)
  useKeys('Plan', [{ keys: '/', label: 'Search tasks', run: () => input.current?.focus() }])
  const [isOpen, setOpen] = useState(false)
  const filters = [query, column, tier, stuck].filter((value) => value !== '').length
  const stuckCount = tasks.filter(isStuck).length
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segments label="View" items={VIEW_ITEMS} value={view} onChange={setView} />
      <IconButton
        label={filters === 0 ? 'Filters' : `Filters (${filters})`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="ml-auto sm:hidden"
      >
        <ListFilter size={18} className={filters === 0 ? '' : 'text-accent'} />
      </IconButton>
      <div
        className={cx(
          'ml-auto flex flex-wrap items-center gap-2 max-sm:ml-0 max-sm:w-full',
          !isOpen && filters === 0 && 'max-sm:hidden',
        )}
      >
        <Button
          aria-pressed={stuck === 'true'}
          onClick={() => setStuck(stuck === 'true' ? '' : 'true')}
          className="aria-pressed:border-text"
        >
          Stuck <span className={stuckCount > 0 ? 'text-warn' : 'text-muted'}>{stuckCount}</span>
        </Button>
        <Filter label="Stage" all="All stages" options={STAGES} value={column} onChange={setColumn} />
        <Filter label="Tier" all="All tiers" options={TIER_NAMES} value={tier} onChange={setTier} />
        <span className="relative w-48 max-sm:w-full">
          <Search
            size={14}
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
          />
          <Input
            ref={input}
            type="search"
            aria-label="Search tasks"
            placeholder="Search tasks"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
            className="pl-8"
          />
          {query === '' && (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2"
            >
              <Kbd>/</Kbd>
            </span>
          )}
        </span>
      </div>
    </div>
  )
}

function ViewLabel({ icon: Icon, text }: { readonly icon: typeof List; readonly text: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon size={14} aria-hidden="true" className="max-sm:hidden" />
      {text}
    </span>
  )
}
