/** Finds what the author has marked as not decided: "TBD", "to be decided", "???", an open question. */
import { choicesIn, type Choices } from './alternatives.ts'
import { hasCue } from './cues.ts'
import { HIDDEN, type Sentence } from './sentences.ts'

/** Where a value is expected: after a colon, a dash or in brackets. */
const VALUE = String.raw`(?:[:=([–—]|(?<=\s)-)\s*`
/** Nothing follows but when or by whom it will be decided. */
const END = String.raw`(?=\s*(?:$|[.,;:)\]!]|[–—-]\s|\((?!s\)))|\s+(?:later|yet|by|with|after|until|once|pending|before)\b)`
const PEOPLE = String.raw`(?:product|design|legal|marketing|finance|stakeholders?|(?:the )?(?:team|client|customer|business|po))\b`
const SETTLED = String.raw`(?:decided|determined|clarified|agreed(?: on| upon)?|discussed|finali[sz]ed)`

const MARKS: readonly RegExp[] = [
  new RegExp(String.raw`(?:${VALUE}|^)(?:TBD|TBC|TBA|T\.B\.D\.)${END}`),
  new RegExp(String.raw`\b(?:is|are|remains?)\s+(?:still\s+)?(?:TBD|TBC|TBA)${END}`),
  /^(?:[\w'-]+\s){1,4}(?:TBD|TBC|TBA)\s*[.!]?$/,
  new RegExp(String.raw`${VALUE}(?:tbd|tbc|tba)(?=\s*(?:$|[.,;)\]]))`, 'i'),
  new RegExp(
    String.raw`(?:${VALUE}|^|\b(?:is|are|still|yet|remains?)\s+(?:still\s+)?)to be ${SETTLED}(?=\s*(?:$|[.,;:)\]]|[–—-]\s|(?:later|yet|with|before|after)\b|by ${PEOPLE}))`,
    'i',
  ),
  new RegExp(
    String.raw`${VALUE}to be (?:confirmed|defined|specified|chosen|provided|announced)(?=\s*(?:$|[.,;)\]]|later\b|by ${PEOPLE}))`,
    'i',
  ),
  new RegExp(
    String.raw`\bwill be (?:decided|determined|defined|specified|clarified|agreed(?: on| upon)?|provided|finali[sz]ed) (?:later|soon|by ${PEOPLE}|with ${PEOPLE})`,
    'i',
  ),
  /(?:^|[\s:(])\?{3,}(?=$|[\s.,;)])/,
  /[^?]:\s*\?\s*$|\s\(\?+\)/,
  /\[NEEDS CLARIFICATION:[^\]]{3,}/i,
  /[[<](?:insert|fill in)\b[^\]>]{0,40}[\]>]|(?<=\w[:\s]\s?)_{3,}(?=[\s.,]|$)/i,
  /\b(?:is|are|still|remains?) (?:still )?(?:undecided|unspecified)\b/i,
  /\bnot yet (?:known|clear|defined|specified|final|agreed|settled|decided|determined|finali[sz]ed|clarified)(?=\s*(?:$|[.,;:)]))/i,
  /\bnot (?:been )?(?:known|clear|defined|specified|agreed|settled|decided|determined|finali[sz]ed|clarified) yet\b/i,
  /\b(?:haven't|have not|hasn't|has not) (?:yet )?(?:been )?decided\b/i,
  /\bwe(?:'ll| will| still)? (?:need|have) to (?:decide|agree|clarify)\b/i,
  /\b(?:decision (?:is )?(?:needed|pending|outstanding|open)|needs a decision|pending a decision|awaiting a decision)\b/i,
  new RegExp(String.raw`\b(?:check|confirm|clarify|agree) with ${PEOPLE}`, 'i'),
  /\bnot sure (?:yet )?(?:whether|if|which|how|what)\b/i,
  /\b(?:after|for|within|every|up to|at most|at least|than|of|in)\s+x{2,3}\s+[a-z]/i,
  /\b(?:details|specification|values?|list|text|copy|wording|mapping|numbers?|format) (?:will |to )follow\b/i,
  /\b(?:ist|sind|bleibt|bleiben) noch (?:offen|unklar|zu klären|zu entscheiden|nicht (?:entschieden|geklärt|festgelegt))\s*[.;,)]?$/i,
  /\b(?:à (?:définir|décider|déterminer|préciser)|por (?:definir|decidir|determinar))(?=\s*(?:$|[.,;)]))/i,
  /^open (?:questions?|points?|issues?)\s*:\s*\S/i,
  /^decide later\b|[(,–—-]\s*decide later\b/i,
  /^(?:should|shall|do) we\b[^?]{3,}\?$/i,
  /^which\b[^?]{3,80}\b(?:should we|do we|to use|shall we)\b[^?]{0,60}\?$/i,
]

/** A number that is missing: it leaves no other reading, whatever follows. */
const MISSING = [
  /\b(?:at most|at least|up to|than|limited to|holds?|keeps?|retr(?:y|ies)|waits?|(?:maximum|minimum|limit|time-?out) of)\s+(?:TBD|TBC|\?{2,3}|xx+)\s+[a-z]/i,
  /\b(?:for|after|every|within|in)\s+(?:TBD|TBC|\?{2,3}|xx+)\s+(?:ms|milliseconds?|s|seconds?|min|minutes?|hours?|days?|weeks?|months?|years?|requests?|attempts?|retries|times)\b/i,
  /^(?:tbd|tbc|tba|to be decided|to be defined|undecided)\s*\.?$/i,
  /\bTODO:?\s+(?:ask|define|decide|clarify|check with|confirm|find out|specify|agree|discuss)\b/,
  /\b(?:format|question|point|decision|naming|limits?|scope|design|choice|wording|price|pricing|deadline|provider|layout|schema|policy) (?:is|are) still open(?=\s*(?:$|[.,;)]))/i,
]

const WORD = String.raw`(?:TBD|TBC|TBA|\?{3}|XXX|NEEDS CLARIFICATION)`
/** The mark is what the task is about: "no TBD remains", "prints TBD for empty cells", "TODO/TBD". */
const ABOUT_MARKS = new RegExp(
  [
    String.raw`\b(?:no|any|every|each|all|remaining|without|zero|removes?|replaces?|resolves?|resolved|fills?|filled|grep|rg|search|scan|finds?|detects?|flags?|rejects?|placeholders?|markers?|marks|comments?|entries|values?|strings?|sections?|cells?|labels?|badges?|columns?|status|state|word|letters|text)\b[^.:]{0,40}${WORD}`,
    String.raw`\b(?:as|to|with|by|from|shows?|shown|displays?|prints?|renders?|says?|returns?|contains?|reads?|means?|called|becomes?|marked|labell?ed|named)\s+${WORD}`,
    String.raw`${WORD}\]?s?\s+(?:\w+\s+)?(?:placeholders?|markers?|marks|comments?|entries|values|strings?|sections?|fields?|remain|remains|left|are|is|for|in|on|when|if)\b`,
    String.raw`(?:TODO|FIXME|XXX|HACK|N\/A|WIP)\b\W{1,4}(?:or |and )?${WORD}|${WORD}\W{1,4}(?:or |and )?(?:TODO|FIXME|XXX|HACK|N\/A|WIP)\b|${HIDDEN}\W{0,4}(?:or |and )?${WORD}`,
  ].join('|'),
  'i',
)
/** What is not decided is a case that the program handles. */
const CONDITION =
  /^(?:if|when|whenever|while|until|unless|for|as long as|users? who)\b|\b(?:that|which|whose|who|if|when) (?:is|are|has|have|was|were)\b/i

const CUES = (
  'tbd tbc tba t.b.d ? clarif insert __ undecided unspecified yet decid confirm agree finali sure xx follow noch definir decidir ' +
  'determin précis définir todo open determined discussed defined specified chosen provided announced check'
).split(' ')
const LONG_CUES = ['fill in', 'need to', 'have to']

/** What there is to choose from, where the sentence names it; null where nothing is marked. */
export function undecidedIn(sentence: Sentence): Choices | null {
  const { masked } = sentence
  if (!hasCue(masked, CUES) && !hasCue(masked, LONG_CUES)) return null
  if (MISSING.some((mark) => mark.test(masked))) return []
  if (!MARKS.some((mark) => mark.test(masked))) return null
  return ABOUT_MARKS.test(masked) || CONDITION.test(masked) ? null : (choicesIn(sentence) ?? [])
}

/** A criterion that leaves open whether it holds, or what is meant: what is built then is a guess. */
const HEDGES =
  /\b(?:maybe|perhaps)\b(?![.(:])|^(?:Maybe|Perhaps) [a-z]|\b(?:if|where) (?:possible|feasible)\b|\bif time permits\b|\b(?:could|might) also\b|\b(?:ideally|preferably|probably)\b|\bnice to have\b|\bsome (?:kind|sort) of\b|\bsomething like\b|\bor (?:something )?(?:similar|like that|comparable)\b(?=\s*(?:$|[.;,)]))|\bor (?:something|so)(?=\s*(?:$|[.;,)]))|^[Aa]lternatively\b/

/** What happens otherwise is stated, or it is stated of a case that the program handles. */
const SAYS_OTHERWISE = /\b(?:else|otherwise|falls? back|fallback|if not|instead)\b/i

const HEDGE_CUES =
  'maybe perhaps possible feasible permits could might ideally preferably probably nice some similar comparable alternatively'.split(
    ' ',
  )
const LONG_HEDGE_CUES = ['or so', 'like that']

/** For criteria only: in a description such words are advice. */
export function isHedged({ masked }: Sentence): boolean {
  if (!hasCue(masked, HEDGE_CUES) && !hasCue(masked, LONG_HEDGE_CUES)) return false
  const found = HEDGES.exec(masked)
  if (found === null || masked.split(/\s+/).length > MOST_HEDGED) return false
  const before = masked.slice(0, found.index)
  return !SAYS_OTHERWISE.test(masked) && !/\b(?:that|which|who|if|when|because|since)\b/i.test(before)
}

const MOST_HEDGED = 25
