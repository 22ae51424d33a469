/** One chart. It is loaded with the metrics page only. */
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../../shell/theme.ts'
import { formatDay, formatTime } from '../../ui/format.ts'
import { roundSteps, type Figure } from './figures.ts'

const HEIGHT = 120
const DAY_S = 86_400

export function Chart({
  figure,
  times,
  values,
  onPoint,
}: {
  readonly figure: Figure
  /** Seconds since the epoch. */
  readonly times: readonly number[]
  readonly values: readonly (number | null)[]
  /** The place of the point under the pointer; null where the pointer is elsewhere. */
  readonly onPoint: (place: number | null) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  useEffect(() => {
    const { current } = box
    if (current === null) return
    const plot = new uPlot(
      optionsOf(figure, current, times, onPoint),
      [[...times], values.map((value) => (value === 0 && figure.draw === 'bars' ? null : value))],
      current,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: current.clientWidth, height: HEIGHT }))
    observer.observe(current)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const redraw = (): void => plot.redraw()
    scheme.addEventListener('change', redraw)
    return () => {
      scheme.removeEventListener('change', redraw)
      observer.disconnect()
      plot.destroy()
    }
  }, [figure, times, values, theme, onPoint])
  // Cut, since a chart gets its new width only after the page has become narrower.
  return <div ref={box} aria-hidden="true" className="w-full overflow-hidden" style={{ height: HEIGHT }} />
}

function optionsOf(
  figure: Figure,
  box: HTMLElement,
  times: readonly number[],
  onPoint: (place: number | null) => void,
): uPlot.Options {
  const [first = 0, second = first + DAY_S] = times
  const step = second - first
  const last = times.at(-1) ?? first
  const colour = (name: string) => (): string => resolvedColour(box, name)
  const axis: uPlot.Axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  }
  return {
    width: box.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? null)] },
    // Half of the last label stands beside its point.
    padding: [8, 18, 0, 0],
    scales: {
      // Half a step at each side, so that no bar is cut.
      x: { range: () => [first - step / 2, last + step / 2] },
      y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        splits: () => everyNth(times, Math.ceil(times.length / Math.max(2, box.clientWidth / 96))),
        values: (_plot, ticks) => ticks.map((tick) => tickName(tick, step)),
      },
      {
        ...axis,
        size: 56,
        space: 32,
        ...(figure.isDuration === true
          ? { splits: (_plot, _axis, _low, high) => roundSteps(high) }
          : figure.isWhole === true
            ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000] }
            : {}),
        values: (_plot, ticks) => ticks.map((tick) => figure.text(tick)),
      },
    ],
    series: [
      {},
      {
        label: figure.name,
        stroke: colour('--run'),
        width: 1.5,
        spanGaps: true,
        points: { show: figure.draw === 'line', size: 5 },
        ...(figure.draw === 'bars' && uPlot.paths.bars !== undefined
          ? { paths: uPlot.paths.bars({ size: [0.6, 24] }), fill: colour('--run') }
          : {}),
      },
    ],
  }
}

/** The canvas takes no variables, and a scheme's colour is known only where it is used. */
function resolvedColour(box: HTMLElement, name: string): string {
  const probe = document.createElement('i')
  probe.style.color = `var(${name})`
  box.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** From the last one back, so that the present always has a name. */
const everyNth = (times: readonly number[], nth: number): number[] =>
  times.filter((_time, place) => (times.length - 1 - place) % nth === 0)

const tickName = (seconds: number, step: number): string => {
  const at = seconds * 1000
  return step < DAY_S ? formatTime(at) : formatDay(at)
}
