/** Finds criteria that no check can decide: "The page is fast." */
import { hasCue } from './cues.ts'
import { HIDDEN } from './sentences.ts'

const words = (text: string): string =>
  text
    .trim()
    .split(/\s*\n\s*/)
    .join('|')

const VAGUE = words(`
  fast|faster|quick|quicker|quickly|promptly|snappy|performant|efficient|efficiently|speedy
  user-friendly|user friendly|more user-friendly|intuitive|more intuitive|convenient
  nice|nicer|nicely|pretty|prettier|beautiful|elegant|modern|attractive|appealing|polished|professional
  good|great|better|well|decent|acceptable|reasonable|satisfactory|sufficient|adequate
  smooth|smoothly|seamless|seamlessly|robust|more robust|reliable|more reliable|reliably|secure|more secure|scalable|flexible|extensible
  maintainable|easy to maintain|easily maintainable|readable|easy to read|lightweight
  easy|easier|simple|simpler|helpful|easy to use|easier to use|simple to use|pleasant to use|easy to understand|easy to navigate|easy to configure
  production-ready|high quality|high-quality|state of the art|state-of-the-art
  as fast as possible|as simple as possible`)

const DEGREE = String.raw`(?:(?:very|really|reasonably|sufficiently|generally|more|quite|super|so|always|also|extremely|highly|fairly|noticeably|blazing(?:ly)?)\s+){0,2}`
const VERB = String.raw`(?:is|are|be|being|becomes?|feels?|looks?|works?|loads?|runs?|responds?|performs?|starts?|renders?|behaves?|reads?|stays?|remains?|scales?|opens?|scrolls?)`
const PLACE = String.raw`(?:mobile|desktop|phones?|tablets?|all devices|every device|all screens|small screens|all platforms)`
const REST = String.raw`(?:\s+(?:enough|overall|in general|for (?:all |our |the |new |most )?(?:users?|people|everyone|customers?|beginners)|(?:also )?on ${PLACE}(?: and ${PLACE})?|as well|under load|in production))?`

/** The vague word ends the sentence: nothing after it could say how it is measured. */
const SAYS = new RegExp(
  String.raw`^(?:[^.;:]{0,100}\s)?${VERB}\s+${DEGREE}(?:${VAGUE})(?:\s*(?:,\s*and|,|and|&|or)\s+${DEGREE}(?:${VAGUE}))*${REST}\s*[.!]?$`,
  'i',
)

const QUALITY = String.raw`(?:performance|speed|latency|throughput|memory usage|cpu usage|usability|ux|ui|ui\/ux|user experience|user interface|interface|design|look|look and feel|appearance|availability|reliability|scalability|security|stability|readability|maintainability|quality|code quality|test coverage|coverage|response times?|load(?:ing)? times?|start-?up times?|overhead)`
const GRADE = String.raw`(?:fast|faster|good|great|nice|decent|high|higher|low|lower|short|shorter|acceptable|reasonable|better|improved|optimal|minimal|excellent|smooth|quick|strong|modern|clean|professional|pleasant|intuitive|user[- ]friendly|fresh|appealing|adequate|appropriate|sufficient|proper|clear|helpful|beautiful)`
/** "Good performance", "The app has a modern look and feel". */
const NAMES = new RegExp(
  String.raw`^(?:[^.;:]{0,60}\s)?(?:(?:has|have|with|offers?|provides?|shows?|ensures?|for)\s+)?(?:an?\s+|the\s+)?(?:very\s+)?${GRADE}(?:\s+and\s+${GRADE})?\s+${QUALITY}\s*[.!]?$`,
  'i',
)
/** "Performance is improved", "Improves the usability of the form". */
const IMPROVED = new RegExp(
  String.raw`^(?:[^.;:]{0,60}\s)?${QUALITY}\s+(?:is|are|gets?)\s+(?:improved|better|optimi[sz]ed|increased|reduced|enhanced|good|acceptable|reasonable)\s*[.!]?$|^(?:improves?|optimi[sz]es?|increases?|enhances?|reduces?)\s+(?:the\s+)?${QUALITY}(?:\s+of\s+[\w\s-]{1,40})?\s*[.!]?$`,
  'i',
)
const BARE =
  /^(?:(?:it )?(?:must|should|has to) be )?(?:fast|user[- ]friendly|intuitive|modern|scalable|robust|secure|reliable|responsive|easy to use|simple to use)(?:(?:\s+and\s+|,\s*)(?:fast|nice|intuitive|modern|user[- ]friendly|scalable|robust|secure|reliable|responsive|easy to use))*\s*[.!]?$/i
/** Amounts and times without a number. */
const AMOUNTS = new RegExp(
  [
    String.raw`\b(?:within|in|after) (?:an? )?(?:reasonable|acceptable|short|decent|adequate|appropriate) (?:time|amount of time|period|delay|time ?frame)\b`,
    String.raw`\b(?:sufficient|reasonable|appropriate|adequate|acceptable|decent) (?:number|amount|size|frequency|interval|limit)\b`,
    String.raw`\bas (?:quickly|fast|soon|little|few|small|simple|smoothly|often) as possible\b`,
    String.raw`\bin a timely (?:manner|fashion)\b`,
    String.raw`\b(?:supports?|handles?|scales? to|copes? with|works? with) (?:very )?(?:many|lots of|a lot of|large (?:numbers|amounts) of|huge) (?:[\w-]+ )?\w+\s*[.!]?$`,
    String.raw`^(?:supports?|accepts?|handles?|covers?) [^()]{1,60}(?:,| and) etc\.?$`,
  ].join('|'),
  'i',
)
/** These deny something, which the measures below would take for a limit. */
const DENIES =
  /\bnot (?:\w+ ){0,2}too (?:long|slow|slowly|large|big|much|many|often|complex|complicated)\s*[.!]?$|\b(?:without|no) (?:any )?(?:noticeable|visible|perceptible) (?:delay|lag|slow-?down)s?\b/i
/** Of anything in particular, handling it gracefully means not to crash. */
const GRACE =
  /\bhandles? (?:all |any )?(?:errors?|failures?|problems?|exceptions?|edge cases|bad input|invalid input) (?:gracefully|properly|well|nicely|cleanly)\s*[.!]?$|^(?:all )?(?:errors?|failures?|edge cases) are handled (?:gracefully|properly|well|nicely|cleanly)\s*[.!]?$/i
/** "Proper messages are logged": which ones those are is what has to be stated. */
const PROPER =
  /^(?:[^.;:]{0,40}\s)?(?:proper|suitable|fitting)\s+(?:[\w-]+\s+){1,2}(?:is|are|be|gets?)\s+(?:logged|shown|displayed|returned|sent|given|used|written|printed|raised|thrown|chosen|applied)\s*[.!]?$|\b(?:logs?|shows?|displays?|returns?|sends?|prints?|raises?|throws?|uses?|chooses?)\s+(?:an?\s+|the\s+)?(?:proper|suitable|fitting)\s+(?:[\w-]+\s*){1,2}[.!]?$/i
const HABITS =
  /^(?:clean|good|maintainable|quality) code(?:,.{0,30})?$|^(?:(?:the )?(?:code|implementation|it) )?(?:follows? |uses? )(?:all |industry |common )?best practices\s*[.!]?$/i

/** A title that is the whole task: "Make search faster". */
const IMPROVES =
  /^(?:please\s+)?(?:make|keep)\s+(?:[\w'-]+\s+){1,6}?(?:more\s+)?(?:fast|faster|nice|nicer|better|pretty|prettier|modern|user[- ]friendly|intuitive|robust|scalable|easier to use|snappy|snappier)\s*[.!]?$/i

/** A number, code, a name or a comparison can be checked; and some words are terms. */
const MEASURE = new RegExp(
  String.raw`\d|${HIDDEN}|\bthan\b|\bsame as\b|\bunless\b|\bwhen\b|\bif\b|\be\.g\.|\bno\b|\bnot\b|\bnever\b|\b(?:zero|one|two|three|every|each)\b|\b(?:cookies?|flag|attribute|WCAG|AA|lighthouse|lint|linter|algorithm|sort)\b`,
  'i',
)
const PATTERNS = [SAYS, NAMES, IMPROVED, BARE, AMOUNTS, GRACE, PROPER, HABITS]

const CUES = (
  'fast quick prompt snapp performant efficient speedy friendly intuitive convenient nice nicely prett beautiful elegant modern ' +
  'attractive appealing polished professional good great better well decent acceptable reasonable satisfactory sufficient adequate ' +
  'smooth seamless robust reliabl secure scalable flexible extensible maintainable maintain readable easy easi read lightweight ' +
  'simple simpler helpful pleasant production high quality state possible low short improv optim minimal excellent strong clean ' +
  'fresh appropriate proper clear increas reduc enhanc responsive timely many lots lot large huge etc gracefully best too ' +
  'noticeable visible perceptible suitable fitting'
).split(' ')

export const isUnmeasurable = (criterion: string): boolean =>
  hasCue(criterion, CUES) &&
  wordsIn(criterion) <= 16 &&
  ((DENIES.test(criterion) && !/\d/.test(criterion)) ||
    (!MEASURE.test(criterion) && PATTERNS.some((pattern) => pattern.test(criterion))))

export const isUnmeasurableTitle = (title: string): boolean =>
  hasCue(title, CUES) && !MEASURE.test(title) && IMPROVES.test(title)

const wordsIn = (text: string): number => text.split(/\s+/).length
