/** The settings in effect and where each came from, the doctor, and what belongs to this browser. */
import { useState } from 'react'
import type { SettingsAnswer, DoctorPageAnswer } from '../../../../src/protocol/machine-answer.ts'
import { useChange, useSettings, useSnapshot, useDoctor } from '../../api/queries.ts'
import { useCanAct } from '../../live/live.ts'
import { canNotify, NotifyToggle } from '../../shell/notices/notices.tsx'
import { Page } from '../../shell/page.tsx'
import { setTheme, useTheme, type Theme } from '../../shell/theme.ts'
import { useSearchValue } from '../../shell/use-search.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { counted } from '../../../../src/lib/text/counted.ts'
import { Select } from '../../ui/field.tsx'
import { Section, Table } from '../../ui/list.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { notifyDone, notifyFailed } from '../../ui/toast.tsx'
import { Permissions } from './permissions.tsx'
import { sentence } from '../../ui/format.ts'
import { GateMark } from '../../ui/marks.tsx'
import { NameField } from '../../shell/name-field.tsx'

export function SettingsPage() {
  const snapshot = useSnapshot()
  const [repo, setRepo] = useSearchValue('repo')
  const repositories = snapshot.data?.repositories ?? []
  const asked = repo === '' ? repositories[0] : repo
  const settings = useSettings(asked)
  return (
    <Page
      title="Settings"
      actions={
        repositories.length > 1 && (
          <Select
            aria-label="Repository"
            className="w-auto! max-w-72"
            value={asked ?? ''}
            onChange={(event) => setRepo(event.target.value)}
          >
            {repositories.map((path) => (
              <option key={path} value={path}>
                {path}
              </option>
            ))}
          </Select>
        )
      }
    >
      <ThisBrowser sessions={settings.data?.sessions ?? null} />
      <Permissions />
      <Doctor repo={asked} />
      <Section title="Settings in effect">
        <Loaded of={settings} what="the settings" skeleton={<Skeleton rows={8} className="h-8" />}>
          {(data) => <Rows settings={data} />}
        </Loaded>
      </Section>
    </Page>
  )
}

const FROM: Readonly<Record<SettingsAnswer['rows'][number]['from'], string>> = {
  default: 'default',
  file: 'bosun.yaml',
  detected: 'detected',
  environment: 'environment',
}

function Rows({ settings }: { readonly settings: SettingsAnswer }) {
  const [isAll, setAll] = useState(false)
  const set = settings.rows.filter(({ from }) => from !== 'default')
  const shown = isAll ? settings.rows : set
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 text-muted">
        {settings.file === null ? (
          <span>There is no bosun.yaml; the defaults hold.</span>
        ) : (
          <span className="inline-flex min-w-0 items-center">
            From <CopyText text={settings.file} label="the path" />
          </span>
        )}
        <span className="inline-flex min-w-0 items-center">
          State in <CopyText text={settings.home} label="the path" />
        </span>
        <span>Bosun {settings.version}</span>
      </p>
      {settings.problems.map(({ line, message, remedy }, place) => (
        <p key={place} role="alert" className="rounded-md border px-3 py-2">
          <span className="text-bad">Line {line}:</span> <PlainText text={message} />{' '}
          <PlainText text={remedy} className="text-muted" />
        </p>
      ))}
      <div>
        <Segments
          label="Which settings"
          value={isAll ? 'all' : 'set'}
          onChange={(next) => setAll(next === 'all')}
          items={[
            { key: 'set', label: `Set or detected (${set.length})` },
            { key: 'all', label: `All (${settings.rows.length})` },
          ]}
        />
      </div>
      {shown.length === 0 ? (
        <p className="rounded-md border px-3 py-3 text-muted">
          Nothing is set; every setting has its default.
        </p>
      ) : (
        <Table
          label="Settings in effect"
          minWidth={520}
          columns={[{ name: 'Setting' }, { name: 'Value' }, { name: 'From' }]}
        >
          {shown.map(({ key, value, from }) => (
            <tr key={key} className="align-top">
              <td className="px-3 py-1.5 font-mono text-mono">{key}</td>
              <td className="px-3 py-1.5 font-mono text-mono">
                <PlainText text={value} />
              </td>
              <td className="px-3 py-1.5 text-muted">{FROM[from]}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  )
}

function ThisBrowser({ sessions }: { readonly sessions: SettingsAnswer['sessions'] | null }) {
  const theme = useTheme()
  return (
    <Section title="This browser">
      <div className="flex flex-col divide-y rounded-md border">
        <Line label="Theme">
          <Segments<Theme>
            label="Theme"
            value={theme}
            onChange={setTheme}
            items={[
              { key: 'system', label: 'System' },
              { key: 'light', label: 'Light' },
              { key: 'dark', label: 'Dark' },
            ]}
          />
        </Line>
        <Line label="Name">
          <div className="w-full max-w-64">
            <NameField label="Your decisions are recorded under it" />
          </div>
        </Line>
        <Line label="Notifications">
          {canNotify() ? (
            <>
              <span>When something newly needs you and this page is hidden.</span>
              <NotifyToggle />
            </>
          ) : (
            <span>
              This browser cannot show them. bosun.yaml can send them elsewhere, under <code>notify</code>.
            </span>
          )}
        </Line>
        <Line label="Sessions">
          <EndSessions sessions={sessions} />
        </Line>
      </div>
    </Section>
  )
}

function Line({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div className="flex gap-x-4 gap-y-2 px-3 py-3 max-sm:flex-col sm:items-center">
      <span className="w-28 shrink-0 text-muted">{label}</span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-3">{children}</div>
    </div>
  )
}

function EndSessions({ sessions }: { readonly sessions: SettingsAnswer['sessions'] | null }) {
  const [isOpen, setOpen] = useState(false)
  const change = useChange('POST /api/session/revoke')
  const canAct = useCanAct()
  const end = (): void =>
    change.mutate(
      { params: {}, body: { all: true } },
      {
        onSuccess: () => {
          setOpen(false)
          notifyDone('All sessions have ended')
        },
        onError: (error) => notifyFailed('Could not end the sessions', error),
      },
    )
  return (
    <>
      <span>
        {sessions !== null && (
          <>
            {counted(sessions.count, 'session')} open
            {sessions.since !== null && (
              <>
                , {sessions.count === 1 ? 'started' : 'the oldest started'} <Time at={sessions.since} />
              </>
            )}
            .{' '}
          </>
        )}
        Each lasts at most 12 hours.
      </span>
      <Button kind="danger" disabled={!canAct} onClick={() => setOpen(true)}>
        Revoke all…
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Revoke all sessions?"
        description="Every open page is signed out, this one too. To come back: bosun open"
        action="Revoke all"
        isBusy={change.isPending}
        onConfirm={end}
      />
    </>
  )
}

/** What is missing on this machine. It takes a few seconds, so it runs when it is asked for. */
type Finding = DoctorPageAnswer['findings'][number]

export function Doctor({ repo }: { readonly repo: string | undefined }) {
  const [isAsked, setAsked] = useState(false)
  const doctor = useDoctor(repo, isAsked)
  const run = (): void => {
    if (isAsked) void doctor.refetch()
    else setAsked(true)
  }
  return (
    <Section
      title="Doctor"
      actions={
        <Button onClick={run} isBusy={isAsked && doctor.isFetching}>
          {doctor.data === undefined ? 'Check this machine' : 'Check again'}
        </Button>
      }
    >
      {!isAsked && <p className="text-muted">Checks git, Node, agents, their sign-in and this repository.</p>}
      {isAsked && (
        <Loaded of={doctor} what="the findings" skeleton={<Skeleton rows={6} className="h-8" />}>
          {({ findings }) => <Findings findings={findings} />}
        </Loaded>
      )}
    </Section>
  )
}

const ORDER: readonly Finding['state'][] = ['problem', 'warning', 'ok']
const OUTCOME: Readonly<Record<Finding['state'], string>> = {
  ok: 'passed',
  warning: 'inconclusive',
  problem: 'failed',
}
const NAME: Readonly<Record<string, string>> = { sqlite: 'SQLite', state_root: 'State folder' }
const WORD: Readonly<Record<Finding['state'], string>> = {
  ok: 'Fine',
  warning: 'Warning',
  problem: 'Problem',
}

function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const sorted = findings.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
  return (
    <ul className="divide-y rounded-md border">
      {sorted.map(({ what, state, text, remedy }, place) => (
        <li
          key={place}
          className="grid items-start gap-x-4 gap-y-0.5 px-3 py-1.5 hover:bg-sub sm:grid-cols-[112px_144px_minmax(0,1fr)]"
        >
          <span className="inline-flex items-center gap-2">
            <GateMark outcome={OUTCOME[state]} isIconOnly /> {WORD[state]}
          </span>
          <PlainText text={NAME[what] ?? sentence(what.replaceAll('_', ' '))} className="font-medium" />
          <div className="min-w-0">
            <PlainText text={text} className="text-muted" />
            {remedy !== null && (
              <p>
                <PlainText text={remedy} />
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
