/**
 * Signs for a task's stage, a worker's health and a gate's outcome: always icon and word. Stage and health are two axes and
 * never share a word.
 */
import {
  Check,
  CircleHelp,
  Clock,
  Ghost,
  Hourglass,
  Minus,
  Pause,
  Activity as Pulse,
  Triangle,
  X,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { TONE, type Tone } from './badge.tsx'
import { cx } from './cx.ts'
import { gateSign, healthSign, stageSign, type GateSign, type HealthSign, type StageSign } from './signs.ts'

const SIZE = 14

function Marked({
  icon,
  tone,
  label,
  isIconOnly,
}: {
  readonly icon: ReactNode
  readonly tone: Tone
  readonly label: string
  readonly isIconOnly: boolean
}) {
  return (
    <span
      className="inline-flex shrink-0 items-center gap-1.5 whitespace-nowrap"
      title={isIconOnly ? label : undefined}
    >
      <span
        className={cx('inline-flex', TONE[tone])}
        {...(isIconOnly ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      >
        {icon}
      </span>
      {!isIconOnly && <span>{label}</span>}
    </span>
  )
}

/** A circle that fills as the work goes on. */
function StageCircle({ fill, isDotted }: { readonly fill: number; readonly isDotted: boolean }) {
  const radius = 2.75
  const round = 2 * Math.PI * radius
  return (
    <svg width={SIZE} height={SIZE} viewBox="0 0 14 14" fill="none" aria-hidden="true">
      <circle
        cx="7"
        cy="7"
        r="6"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray={isDotted ? '1.9 1.87' : undefined}
      />
      {fill > 0 && (
        <circle
          cx="7"
          cy="7"
          r={radius}
          stroke="currentColor"
          strokeWidth={radius * 2}
          strokeDasharray={`${round * fill} ${round}`}
          transform="rotate(-90 7 7)"
        />
      )}
    </svg>
  )
}

function Disc({ icon: Icon }: { readonly icon: typeof Check }) {
  return (
    <span className="relative inline-flex size-3.5 items-center justify-center rounded-full bg-current">
      <Icon size={10} strokeWidth={3.5} className="text-bg" />
    </span>
  )
}

function stageIcon(sign: StageSign): ReactNode {
  switch (sign.shape) {
    case 'check':
      return <Disc icon={Check} />
    case 'cross':
      return <Disc icon={X} />
    case 'triangle':
      return <Triangle size={SIZE} fill="currentColor" strokeWidth={1.5} />
    case 'circle':
      return <StageCircle fill={sign.fill} isDotted={sign.isDotted} />
  }
}

interface StageProps {
  readonly status: string
  readonly stage: string
  /** The word is then its name for screen readers and on hover. */
  readonly isIconOnly?: boolean
}

export function StageMark({ status, stage, isIconOnly = false }: StageProps) {
  const sign = stageSign(status, stage)
  return <Marked icon={stageIcon(sign)} tone={sign.tone} label={sign.label} isIconOnly={isIconOnly} />
}

const ICONS = {
  pulse: Pulse,
  clock: Clock,
  pause: Pause,
  hourglass: Hourglass,
  ghost: Ghost,
  check: Check,
  cross: X,
  question: CircleHelp,
  dash: Minus,
} as const

function SignMark({
  sign: { icon, tone, label },
  isIconOnly = false,
}: {
  readonly sign: HealthSign | GateSign
  readonly isIconOnly?: boolean | undefined
}) {
  const Icon = ICONS[icon]
  return (
    <Marked icon={<Icon size={SIZE} strokeWidth={2} />} tone={tone} label={label} isIconOnly={isIconOnly} />
  )
}

export const HealthMark = ({
  health,
  isIconOnly,
}: {
  readonly health: string
  readonly isIconOnly?: boolean
}) => <SignMark sign={healthSign(health)} isIconOnly={isIconOnly} />

export const GateMark = ({
  outcome,
  isIconOnly,
}: {
  readonly outcome: string
  readonly isIconOnly?: boolean
}) => <SignMark sign={gateSign(outcome)} isIconOnly={isIconOnly} />
