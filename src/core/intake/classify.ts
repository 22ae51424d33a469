/** Whether a request is a new project, a feature or a bug, by rules. */
import type { IntakeType } from './intake.ts'
import { sentencesOf } from './demands.ts'
import type { RequestText } from './request-text.ts'
import { BUG_EVIDENCE } from './bug-words.ts'
import { misspeltIn, type EvidenceRow } from './evidence.ts'
import { EXISTING_EVIDENCE, FEATURE_EVIDENCE, PROJECT_EVIDENCE } from './feature-words.ts'
import { BUG_VERB, FEATURE_VERB, OPENING } from './opening-words.ts'

export interface ClassifyFacts {
  /** Null where nothing is known about the repository. */
  readonly repository: RepositorySize | null
  /** The name of the file that the request came in; null where there was none. */
  readonly fileName: string | null
}

export interface RepositorySize {
  /** Files that are neither documents nor settings. */
  readonly sources: number
}

export interface Classified {
  readonly type: IntakeType
  /** True where the request says too little to be sure: then it is a feature request, and the user is asked. */
  readonly isUnsure: boolean
  readonly reasons: readonly string[]
}

const FIRST_VERB = 5
/** Supporting words count less and less: a long text mentions everything once. */
const MOST_SUPPORT = 9
const UNSURE_BELOW = 2

export function classifyByRules(request: RequestText, { repository, fileName }: ClassifyFacts): Classified {
  if (/^project[-_ ]?brief\.\w+$/i.test(fileName ?? ''))
    return sure('new_project', [`it is a project brief (${fileName})`])
  if (PROJECT_TITLE.test(request.title) || request.headings.some((one) => PROJECT_TITLE.test(one)))
    return sure('new_project', ['it is titled as a project brief'])
  const isEmpty = repository?.sources === 0
  if (isEmpty) return sure('new_project', ['there are no source files yet'])
  if (!request.isReadable)
    return { type: 'feature_request', isUnsure: true, reasons: ['the text has no readable request'] }

  const misspelt = misspeltIn(request.prose)
  if (misspelt !== null) return sure('bug_fix', [`corrects a word (${misspelt})`])
  // Its first verbs are what a person did, not what is wanted.
  const isReport = BEGINS_WITH_STEPS.test(request.prose)
  const opening = isReport ? null : openingOf(request.title)
  const body = bodyOf(request)
  const bug = gather(body, BUG_EVIDENCE)
  const feature = gather(body, FEATURE_EVIDENCE)
  const project = gather(body, PROJECT_EVIDENCE)
  const existing = gather(body, EXISTING_EVIDENCE)
  if (opening === 'bug') bug.add('starts with a request to fix something', FIRST_VERB)
  if (opening === 'feature') feature.add('starts with a request to add or change something', FIRST_VERB)
  if (/^\W{0,3}(bug|regression|crash)\b\W/i.test(request.title)) bug.add('is titled as a bug', FIRST_VERB)
  if (request.code !== '' && TRACE.test(request.code)) bug.add('holds a stack trace or an error log', 3)

  const others = sentencesOf(request).slice(1)
  if (isReport) bug.add('begins with the steps to reproduce it', FIRST_VERB)
  else if (opening === null && others.some((one) => FEATURE_VERB.test(one)))
    feature.add('asks to add or change something', 3)
  // A statement about what a program does now, without a wish, is a complaint.
  else if (opening === null && !WISH.test(body) && !ASKS_ABOUT.test(request.title)) {
    const does = DOES.exec(
      withoutQuotes(request.title).replace(CONDITION, '').split(SUBORDINATE, 1)[0] ?? '',
    )?.[0]
    if (does !== undefined) bug.add(`says what happens now (“${does}”)`, 3)
  }

  // A product to build is a project only where nothing refers to what is there.
  const forProject = project.total - existing.total - (repository === null ? 0 : 1)
  if (forProject >= 4 && project.total > bug.total) return sure('new_project', project.reasons)
  const [first, second] = [Math.max(bug.total, feature.total), Math.min(bug.total, feature.total)]
  if (first === 0 && forProject >= 3) return sure('new_project', project.reasons)
  if (first < UNSURE_BELOW)
    return {
      type: 'feature_request',
      isUnsure: true,
      reasons: ['it says neither what is wrong nor what to add'],
    }
  if (first === second)
    return {
      type: 'feature_request',
      isUnsure: true,
      reasons: ['it reads like a bug as much as like a feature', ...bug.reasons, ...feature.reasons],
    }
  return bug.total > feature.total ? sure('bug_fix', bug.reasons) : sure('feature_request', feature.reasons)
}

const BEGINS_WITH_STEPS =
  /^[#*\s]{0,6}(?:steps|steps to reproduce|to reproduce|how to reproduce|reproduction(?: steps)?|repro(?: steps)?)[*:\s]{0,4}\n/i
const PROJECT_TITLE = /^\W{0,4}(?:project[- _]?brief|brief\s*:)/i

/** What people want, as opposed to what they see. */
const WISH =
  /\b(should|shall|want|wants|wanted|need|needs|would|wish|please|let|allow|support|add|prefer|propose|could we|can we|it'd|i'd|we'd|love|hätte|möchte\w*|soll\w*|voudrais|quiero|quero|vorrei|хочу|нужн\p{L}*|добав\p{L}*)\b/iu
/** "What does it do?" says nothing about what happens; "why does it …?" does. */
const ASKS_ABOUT =
  /^(?:what|how|where|which|who|when|is|are|was|were|does|do|did|has|have|can|will)\b[^\n]*\?\s*$/i
/** What follows says when or which, not what happens. */
const SUBORDINATE =
  /\s(?:when|if|while|after|before|that|which|because|although|wenn|quand|cuando|quando|если)\s/i
/** Verbs in the third person, as in "the page shows the wrong name"; of plurals only those that say what goes wrong. */
const DOES =
  /(?<![\p{L}])(?:lets (?:me|you|users|people|anyone|anybody)|removes|adds|moves|points|tells|creates|changes|updates|loads|saves|selects|scrolls|does|breaks|swallows|converts|sorts|ends|starts|turns|puts|treats|lacks|fails?|accepts|trusts|returns|shows|says|gives|prints|leaves|deletes|overwrites?|ignores|counts|keeps?|stays?|arrives?|goes|exits|loses?|drops|skips|rejects|refuses|hides|disappears?|vanish(?:es)?|resets|jumps|repeats|sends|receives|displays|uses|reads|writes|opens|closes|rounds|truncates|grows|takes|blocks|assigns|dies|behaves|cuts|misses|forgets|remains?|duplicates|reuses|differs?|is|are|was|were|comes?|dice|dit|sagt|zeigt|steht|affiche|muestra|mostra|verliert|löscht|bleibt|geht|perd|pierde|perde|показывает|теряет|удаляет|pokazuje|traci|toont|verliest|can (?:both|buy|see|still (?:see|edit|access)|delete))(?![\p{L}])/iu

const TRACE = /\b(error|exception|traceback|panic|fatal|segmentation fault|fail(ed|ure)?)\b|^\s+at /im

const sure = (type: IntakeType, reasons: readonly string[]): Classified => ({
  type,
  isUnsure: false,
  reasons: reasons.slice(0, 4),
})

/** "When the list is empty, show a hint". */
const CONDITION = /^(?:when|if|once|wenn|quand|cuando|если)\b[^,.]{1,80},\s*/i

/** "We need a page where …"; not "we need to fix …". */
const NEED =
  /^(?:we|i|our \w+|(?:the )?\w+s) (?:really |also )?(?:need|want|would (?:like|love)|'d (?:like|love))s? (?:an?|some|more|another|the (?:option|ability))\s(?!fix\b)/i

/** What the first verb of the title asks for. */
function openingOf(title: string): 'bug' | 'feature' | null {
  const plain = title.replace(
    /^\W{0,3}\[?(?:feature|feat|enhancement|request|bug|fix|chore|docs|issue|task|todo|refactor|perf)\]?(?:\(.{1,30}\))?\s*:\s*/i,
    '',
  )
  if (/^\W{0,3}\[?(?:feat|feature|enhancement|chore|docs|refactor|perf)\]?(?:\(.{1,30}\))?\s*:/i.test(title))
    return 'feature'
  if (/^\W{0,3}\[?fix\]?(?:\(.{1,30}\))?\s*:/i.test(title)) return 'bug'
  if (NEED.test(plain)) return 'feature'
  const rest = plain.replace(CONDITION, '').replace(OPENING, '')
  if (BUG_VERB.test(rest)) return 'bug'
  return FEATURE_VERB.test(rest) ? 'feature' : null
}

/** The beginning says what is wanted; details follow. */
function bodyOf({ title, prose, headings, parts }: RequestText): string {
  const heads = `${title}\n${headings.join('\n').slice(0, 5000)}`
  // Tasks and requirements speak of errors and failing tests, whatever the whole is about.
  return parts > 1 && headings.length > 1 ? heads : `${prose.slice(0, 20_000)}\n${heads}`
}

/** What is quoted is what a program says, or is to say. */
const withoutQuotes = (text: string): string =>
  text.replace(/["“„«][^"”“«»\n]{1,80}["”“»]|\([^()\n]{1,200}\)/g, ' ')

class Evidence {
  total = 0
  readonly reasons: string[] = []
  add(reason: string, weight: number): void {
    this.total += weight
    this.reasons.unshift(reason)
  }
}

function gather(text: string, rows: readonly EvidenceRow[]): Evidence {
  const found = new Evidence()
  for (const { pattern, weight, what } of rows) {
    const match = pattern.exec(text)?.[0]
    if (match === undefined || found.total >= MOST_SUPPORT) continue
    found.total += weight
    found.reasons.push(`mentions ${what} (“${match.slice(0, 40)}”)`)
  }
  return found
}
