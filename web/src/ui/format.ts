/** Durations, moments and figures in words. Pure: the present comes in. */
import { formatDuration } from '../../../src/lib/text/format-time.ts'
import type { UsageRow } from '../../../src/protocol/answers.ts'
import { formatUsd } from '../../../src/lib/text/format-usage.ts'

/** `4m ago`, `in 2h`, `just now`. */
export function formatAge(at: number, now: number): string {
  const span = now - at
  if (Math.abs(span) < 5000) return 'just now'
  return span > 0 ? `${formatDuration(span)} ago` : `in ${formatDuration(-span)}`
}

/** The page is in English, whatever the language of the browser is. */
const LOCALE = 'en-GB'

/** `10:42`, or `10:42:07`. */
export const formatTime = (at: number, to: 'minutes' | 'seconds' = 'minutes'): string =>
  new Date(at).toLocaleTimeString(LOCALE, to === 'seconds' ? {} : { hour: '2-digit', minute: '2-digit' })

/** `17 Nov` */
export const formatDay = (at: number): string =>
  new Date(at).toLocaleDateString(LOCALE, { day: 'numeric', month: 'short' })

/** `Monday 16 November` */
export const formatWeekday = (at: number): string =>
  new Date(at).toLocaleDateString(LOCALE, { weekday: 'long', day: 'numeric', month: 'long' })

/** The whole of it: `Monday, 16 November 2026 at 10:42:07 CET`. */
export const formatMoment = (at: number): string =>
  new Date(at).toLocaleString(LOCALE, { dateStyle: 'full', timeStyle: 'long' })

/** `10:42`, with the day where it is another: `14 Nov 10:42`. */
export function formatClock(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  return isToday ? formatTime(at) : `${formatDay(at)} ${formatTime(at)}`
}

/** `1,234`, `41k`, `1.9M`. */
export function formatCount(count: number): string {
  if (count < 10_000) return count.toLocaleString('en-US')
  if (count < 1_000_000) return `${Math.round(count / 1000)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}

/** With a capital letter in front, unless it begins with a path, an id or a name of code. */
export const sentence = (text: string): string =>
  /^\p{Ll}[\p{L}'’-]*[,;:.!?]?(\s|$)/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text

/** "412k tokens, $1.20"; a part without a price and an estimate are named. */
export function usageText(usage: UsageRow | null): string | null {
  if (usage === null || usage.tokens === 0) return null
  const money = formatUsd(usage.usd)
  const isPart = money !== null && usage.tokens_unpriced > 0
  const estimated = usage.tokens_estimated > 0 ? ' (estimated)' : ''
  return `${formatCount(Math.round(usage.tokens))} tokens${estimated}${money === null ? '' : `, ${money}${isPart ? ' for a part of them' : ''}`}`
}

/** What the numbers count, for a tooltip. */
export function usageRule(usage: UsageRow): string {
  const whole = (tokens: number): string => Math.round(tokens).toLocaleString('en')
  return [
    `${whole(usage.tokens_in)} in, ${whole(usage.tokens_cached)} of them from a cache; ${whole(usage.tokens_out)} out`,
    ...(usage.tokens_estimated > 0
      ? [`${whole(usage.tokens_estimated)} are estimated, since the agent does not report them`]
      : []),
    usage.usd === null
      ? 'no price is known'
      : usage.tokens_unpriced > 0
        ? `${whole(usage.tokens_unpriced)} have no price and are not in the amount`
        : 'priced in full',
  ].join('; ')
}
