/** A transcript as blocks: a tool call with its end is one, and so are neighbouring texts of one kind. */
import type { TranscriptLine } from '../../../../src/protocol/worker-views.ts'

export interface TextBlock {
  readonly kind: 'text'
  readonly key: string
  readonly of: 'prompt' | 'message' | 'thought' | 'replay' | 'output' | 'error'
  readonly at: string | null
  readonly text: string
}

export interface CallBlock {
  readonly kind: 'call'
  readonly key: string
  readonly of: 'tool' | 'permission'
  readonly at: string | null
  readonly endedAt: string | null
  readonly text: string
  /** Null while it runs or waits. */
  readonly outcome: string | null
  readonly detail: string | null
}

/** A plan, a session, usage, the end of a turn. */
export interface NoteBlock {
  readonly kind: 'note'
  readonly key: string
  readonly of: 'plan' | 'session' | 'usage' | 'turn_ended'
  readonly at: string | null
  readonly text: string
  readonly outcome: string | null
}

export type Block = TextBlock | CallBlock | NoteBlock

/** What one block may hold before the next one begins. */
const LONGEST_TEXT = 20_000

export function transcriptBlocks(lines: readonly TranscriptLine[]): readonly Block[] {
  const blocks: Block[] = []
  const openCalls = new Map<string, number>()
  lines.forEach((line, place) => {
    const key = String(place)
    switch (line.kind) {
      case 'prompt':
      case 'message':
      case 'thought':
      case 'replay':
      case 'output':
      case 'error':
        addText(blocks, { kind: 'text', key, of: line.kind, at: line.timestamp, text: line.text })
        return
      case 'tool_started':
      case 'permission_asked':
        if (line.call !== null) openCalls.set(callKey(line), blocks.length)
        blocks.push(callBlock(line, key))
        return
      case 'tool_updated':
        updateCall(blocks, openCalls, line, key)
        return
      case 'tool_ended':
      case 'permission_answered':
        endCall(blocks, openCalls, line, key)
        return
      case 'plan':
      case 'session':
      case 'usage':
      case 'turn_ended':
        blocks.push({
          kind: 'note',
          key,
          of: line.kind,
          at: line.timestamp,
          text: line.text,
          outcome: line.outcome,
        })
    }
  })
  return blocks
}

function addText(blocks: Block[], block: TextBlock): void {
  const last = blocks.at(-1)
  const isMore =
    last?.kind === 'text' &&
    last.of === block.of &&
    MERGED.has(block.of) &&
    last.text.length + block.text.length <= LONGEST_TEXT
  if (isMore) blocks[blocks.length - 1] = { ...last, text: joined(last, block) }
  else blocks.push(block)
}

const MERGED: ReadonlySet<string> = new Set(['output', 'message', 'thought'])

/** A plain command prints lines. An agent's text is cut by time, also within a word. */
function joined(last: TextBlock, next: TextBlock): string {
  const between = last.of !== 'output' || last.text.endsWith('\n') ? '' : '\n'
  return `${last.text}${between}${next.text}`
}

const callKey = ({ kind, call }: TranscriptLine): string =>
  `${kind.startsWith('tool') ? 'tool' : 'permission'} ${call ?? ''}`

const callBlock = (line: TranscriptLine, key: string): CallBlock => ({
  kind: 'call',
  key,
  of: line.kind.startsWith('tool') ? 'tool' : 'permission',
  at: line.timestamp,
  endedAt: null,
  text: line.text,
  outcome: null,
  detail: line.detail,
})

/** A later name and later arguments take the place of those that it began with. */
function updateCall(
  blocks: Block[],
  openCalls: Map<string, number>,
  line: TranscriptLine,
  key: string,
): void {
  const place = openCalls.get(callKey(line))
  const begun = place === undefined ? undefined : blocks[place]
  if (place !== undefined && begun?.kind === 'call') {
    blocks[place] = { ...begun, text: line.text || begun.text, detail: line.detail ?? begun.detail }
    return
  }
  // Its beginning was left out.
  openCalls.set(callKey(line), blocks.length)
  blocks.push(callBlock(line, key))
}

function endCall(blocks: Block[], openCalls: Map<string, number>, line: TranscriptLine, key: string): void {
  const place = openCalls.get(callKey(line))
  const begun = place === undefined ? undefined : blocks[place]
  openCalls.delete(callKey(line))
  const end = { endedAt: line.timestamp, outcome: line.outcome ?? 'ended' }
  if (place === undefined || begun?.kind !== 'call') {
    blocks.push({ ...callBlock(line, key), ...end })
    return
  }
  blocks[place] = {
    ...begun,
    ...end,
    // Many agents name a call only after it began. The end of a permission names who decided.
    text: begun.text === '' || (begun.of === 'tool' && line.text !== '') ? line.text : begun.text,
    // The end of a tool call has its arguments again, whole.
    detail:
      begun.of === 'tool' && line.detail !== null && line.detail !== ''
        ? line.detail
        : [begun.detail, line.detail].filter((text) => text !== null && text !== '').join('\n\n') || null,
  }
}
