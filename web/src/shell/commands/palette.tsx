/** Ctrl K: go anywhere, find a task, pause a plan. Loaded when it is first opened. */
import { useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { CirclePause, Keyboard, ListTodo, Moon, Play, Sun, type LucideIcon } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { read } from '../../api/client.ts'
import { useChange, useSnapshot } from '../../api/queries.ts'
import { Kbd } from '../../ui/button.tsx'
import { HealthMark, StageMark } from '../../ui/marks.tsx'
import { useDialogFocus } from '../../ui/dialog.tsx'
import { notifyDone, notifyFailed } from '../../ui/toast.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { DESTINATIONS } from '../navigation.ts'
import { KIND_WORD, nameOfNeed, needsOf, searchOfItem } from '../needs-you.ts'
import { showOverlay } from './palette-state.ts'
import { folderName } from '../progress.ts'
import { currentTheme, setTheme } from '../theme.ts'

const ITEM =
  'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 text-sm data-[selected=true]:bg-hover max-sm:min-h-11'
const GROUP =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted'
const MOST_PLANS = 5
const MOST_TASKS = 6

export function Palette() {
  const [text, setText] = useState('')
  const focus = useDialogFocus()
  const { data } = useSnapshot()
  const navigate = useNavigate()
  const close = (): void => showOverlay(null)
  const run = (act: () => unknown) => () => {
    close()
    void act()
  }
  const plans = data?.plans ?? []
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.3)]" />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="fixed top-[10vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg bg-bg shadow-float"
        >
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Command loop label="Search and commands" filter={scoreOf}>
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder="Search tasks and plans, or run a command…"
              className="h-12 w-full border-b bg-bg px-4 text-base outline-none placeholder:text-muted"
            />
            <Command.List className="max-h-[56vh] overflow-y-auto p-2">
              <Command.Empty className="px-2 py-8 text-center text-muted">No results</Command.Empty>
              {data !== undefined && needsOf(data).length > 0 && (
                <Command.Group heading="Needs you" className={GROUP}>
                  {needsOf(data)
                    .slice(0, MOST_TASKS)
                    .map((need) => (
                      <Command.Item
                        key={need.key}
                        value={`needs ${need.key}`}
                        keywords={[need.kind === 'item' ? need.item.problem : need.interview.title]}
                        onSelect={run(() =>
                          need.kind === 'item'
                            ? navigate({ to: '/', search: searchOfItem(need.item) })
                            : navigate({
                                to: '/interview/$id',
                                params: { id: need.interview.session_id },
                                search: { repo: need.interview.repo },
                              }),
                        )}
                        className={ITEM}
                      >
                        <span className="w-16 shrink-0 text-xs text-muted">
                          {need.kind === 'item' ? KIND_WORD[need.item.kind] : 'Interview'}
                        </span>
                        <span className="flex-1 truncate">{visibleText(nameOfNeed(need))}</span>
                        <Hint
                          text={need.kind === 'item' ? need.item.plan : folderName(need.interview.repo)}
                        />
                      </Command.Item>
                    ))}
                </Command.Group>
              )}
              <Command.Group heading="Go to" className={GROUP}>
                {DESTINATIONS.map(({ to, label, icon, key }) => (
                  <Choice
                    key={to}
                    icon={icon}
                    label={label}
                    keys={`g ${key}`}
                    onSelect={run(() => navigate({ to, search: {} }))}
                  />
                ))}
              </Command.Group>
              {plans.length > 0 && (
                <Command.Group heading="Plans" className={GROUP}>
                  {plans.map((plan) => (
                    <Choice
                      key={`${plan.repo}:${plan.id}`}
                      value={`plan ${plan.id} ${plan.title ?? ''} ${plan.repo}`}
                      icon={ListTodo}
                      label={visibleText(plan.title ?? plan.id)}
                      hint={visibleText(folderName(plan.repo))}
                      onSelect={run(() =>
                        navigate({ to: '/p/$plan', params: { plan: plan.id }, search: { repo: plan.repo } }),
                      )}
                    />
                  ))}
                </Command.Group>
              )}
              <FoundTasks text={text} plans={plans.slice(0, MOST_PLANS)} onSelect={run} />
              {(data?.workers.length ?? 0) > 0 && (
                <Command.Group heading="Workers" className={GROUP}>
                  {data?.workers.map((worker) => (
                    <Command.Item
                      key={`${worker.repo} ${worker.id}`}
                      value={`worker ${worker.id} ${worker.task ?? ''} ${worker.repo ?? ''}`}
                      keywords={[worker.task_title ?? '']}
                      onSelect={run(() =>
                        navigate({
                          to: '/workers/$id',
                          params: { id: worker.id },
                          search: worker.repo === null ? {} : { repo: worker.repo },
                        }),
                      )}
                      className={ITEM}
                    >
                      <HealthMark health={worker.health} isIconOnly />
                      <span className="font-mono text-mono text-muted">
                        {visibleText(worker.task ?? worker.id)}
                      </span>
                      <span className="flex-1 truncate">
                        {visibleText(worker.task_title ?? worker.current_step ?? worker.reason)}
                      </span>
                      <Hint text={worker.plan ?? 'not started by Bosun'} />
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
              <Actions onSelect={run} />
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Every word that was typed has to be in it; what begins with the first one comes first. */
function scoreOf(value: string, typed: string, keywords: readonly string[] = []): number {
  const text = `${value} ${keywords.join(' ')}`.toLowerCase()
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (!words.every((word) => text.includes(word))) return 0
  return text.startsWith(words[0] ?? '') ? 1 : 0.5
}

/** What a row belongs to, at its end. */
const Hint = ({ text }: { readonly text: string }) => (
  <span className="max-w-[40%] shrink-0 truncate text-xs text-muted">{visibleText(text)}</span>
)

type Run = (act: () => unknown) => () => void

function Choice({
  icon: Icon,
  label,
  hint,
  keys,
  value = label,
  onSelect,
}: {
  readonly icon: LucideIcon
  readonly label: string
  readonly hint?: string
  /** What leads there without the palette. */
  readonly keys?: string
  readonly value?: string
  readonly onSelect: () => void
}) {
  return (
    <Command.Item value={value} onSelect={onSelect} className={ITEM}>
      <Icon size={16} aria-hidden="true" className="shrink-0 text-muted" />
      <span className="flex-1 truncate">{label}</span>
      {hint !== undefined && <span className="shrink-0 text-xs text-muted">{hint}</span>}
      {keys?.split(' ').map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </Command.Item>
  )
}

function FoundTasks({
  text,
  plans,
  onSelect,
}: {
  readonly text: string
  readonly plans: readonly { readonly id: string; readonly repo: string }[]
  readonly onSelect: Run
}) {
  const navigate = useNavigate()
  const asked = useDeferredValue(text.trim())
  const answers = useQueries({
    queries: (asked.length < 2 ? [] : plans).map((plan) => ({
      queryKey: ['palette', plan.repo, plan.id, asked],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        read(
          'GET /api/plans/{id}/tasks',
          { id: plan.id },
          { repo: plan.repo, text: asked, limit: MOST_TASKS },
          signal,
        ),
    })),
  })
  // Plans of two repositories may have the same id.
  const twins = new Set(
    plans.map(({ id }) => id).filter((id) => plans.filter((plan) => plan.id === id).length > 1),
  )
  const tasks = answers.flatMap(({ data }) => data?.tasks ?? []).slice(0, MOST_TASKS)
  if (tasks.length === 0) return null
  return (
    <Command.Group heading="Tasks" className={GROUP}>
      {tasks.map((task) => (
        <Command.Item
          key={`${task.repo}:${task.plan}:${task.id}`}
          value={`task ${task.id} ${task.title} ${task.plan}`}
          onSelect={onSelect(() =>
            navigate({
              to: '/p/$plan/t/$task',
              params: { plan: task.plan, task: task.id },
              search: { repo: task.repo },
            }),
          )}
          className={ITEM}
        >
          <StageMark status={task.status} stage={task.stage} isIconOnly />
          <span className="font-mono text-mono text-muted">{visibleText(task.id)}</span>
          <span className="flex-1 truncate">{visibleText(task.title)}</span>
          <Hint text={twins.has(task.plan) ? `${task.plan} · ${folderName(task.repo)}` : task.plan} />
        </Command.Item>
      ))}
    </Command.Group>
  )
}

function Actions({ onSelect }: { readonly onSelect: Run }) {
  const { data } = useSnapshot()
  const change = {
    pause: useChange('POST /api/plans/{id}/pause'),
    resume: useChange('POST /api/plans/{id}/resume'),
  }
  const theme = currentTheme()
  const steer = (id: string, repo: string, verb: 'pause' | 'resume'): void =>
    change[verb].mutate(
      { params: { id }, body: { repo } },
      {
        onSuccess: () => notifyDone(verb === 'pause' ? `${id} is paused` : `${id} goes on`),
        onError: (error) => notifyFailed(`Could not ${verb} ${id}`, error),
      },
    )
  return (
    <Command.Group heading="Actions" className={GROUP}>
      {data?.plans
        .filter(({ state }) => state !== 'done' && state !== 'damaged')
        .map(({ id, repo, state }) => {
          const verb = state === 'paused' ? 'resume' : 'pause'
          return (
            <Choice
              key={`${repo}:${id}`}
              value={`${verb} ${id} ${repo}`}
              icon={verb === 'pause' ? CirclePause : Play}
              label={`${verb === 'pause' ? 'Pause' : 'Resume'} ${visibleText(id)}`}
              onSelect={onSelect(() => steer(id, repo, verb))}
            />
          )
        })}
      <Choice
        icon={theme === 'dark' ? Sun : Moon}
        label={theme === 'dark' ? 'Use the light theme' : 'Use the dark theme'}
        onSelect={onSelect(() => setTheme(theme === 'dark' ? 'light' : 'dark'))}
      />
      <Choice icon={Sun} label="Use the system theme" onSelect={onSelect(() => setTheme('system'))} />
      {/* Also where single keys are off: there they are turned on again. */}
      <Choice icon={Keyboard} label="Keys" keys="?" onSelect={onSelect(() => showOverlay('keys'))} />
    </Command.Group>
  )
}
