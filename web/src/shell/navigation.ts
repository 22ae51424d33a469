/** What the rail, the phone's bar, the palette and the keys all lead to. */
import { Activity, ChartLine, Inbox, Plus, Settings, Users, Wrench, type LucideIcon } from 'lucide-react'

export interface Destination {
  readonly to: '/' | '/start' | '/workers' | '/activity' | '/crew' | '/metrics' | '/settings'
  readonly label: string
  readonly icon: LucideIcon
  /** After `g`. */
  readonly key: string
}

export const NEEDS_YOU: Destination = { to: '/', label: 'Needs you', icon: Inbox, key: 'i' }
export const START: Destination = { to: '/start', label: 'Start', icon: Plus, key: 's' }
export const WORKERS: Destination = { to: '/workers', label: 'Workers', icon: Wrench, key: 'w' }
export const MORE: readonly Destination[] = [
  { to: '/activity', label: 'Activity', icon: Activity, key: 'a' },
  { to: '/crew', label: 'Crew', icon: Users, key: 'c' },
  { to: '/metrics', label: 'Metrics', icon: ChartLine, key: 'm' },
  { to: '/settings', label: 'Settings', icon: Settings, key: ',' },
]
export const DESTINATIONS: readonly Destination[] = [NEEDS_YOU, START, WORKERS, ...MORE]
