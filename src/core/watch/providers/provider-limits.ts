/**
 * Detects a limit or a sign-in problem of an agent's provider in the end of the agent's output. Only for an agent that
 * failed or did nothing: a successful one may print any of these words.
 */
import type { Instant } from '../../state/state.ts'
import { resetTime, type ReadAt } from './reset-times.ts'

export type ProviderTrouble =
  /** Available again at `until`; null if unknown. */
  | { readonly kind: 'limited'; readonly until: Instant | null; readonly why: string }
  /** It does not let the agent in: waiting does not help. */
  | { readonly kind: 'sign_in'; readonly why: string }

/** A failing agent prints the reason last; earlier lines are its work. */
const LAST_LINES = 15
const LONGEST_LINE = 2000
const LONGEST_WHY = 200

/** Lines of tests and of code, not of an agent that lost its provider. */
const OF_WORK =
  /\b(?:assert\w*|expect(?:ed|s)?|received|should|tests?|spec|passed|not ok)\b|[✓✗✘×]|^\s*at .+:\d+|^[+-]\s|^\s*\d+\s*\|/i

const PROVIDER =
  /anthropic|claude|openai|chatgpt|codex|gemini|googleapis|openrouter|opencode|mistral|deepseek|groq|bedrock|amazonaws|azure|dashscope|\bx\.ai\b|\bapi\b|api[_ ]?error|\bprovider\b|\bmodels?\b/i
const LOOPBACK = /127\.0\.0\.1|localhost|\[?::1\]?|0\.0\.0\.0/i

const SIGN_IN =
  /authentication_error|authentication (?:failed|required)|invalid authentication|invalid (?:x-)?api[- _]?key|incorrect api key|api key (?:not valid|is invalid|expired)|no api key|missing api key|not (?:logged|signed) in|please (?:run )?\/?(?:log ?in|sign in)|run \/login|oauth token (?:has )?(?:expired|been revoked)|access token could not be refreshed/i
const UNAUTHORIZED = /\b401\b|\bunauthori[sz]ed\b/i

const LIMIT =
  /usage limit|(?:session|weekly|daily|hourly|5-hour|opus|plan) limit (?:reached|exceeded|hit)|hit your (?:\w+ )?limit|(?:usage|rate)_limit_(?:reached|exceeded|error)|too many requests|exceeded your (?:current |monthly )?quota|quota (?:exceeded|exhausted|will reset)|exhausted your (?:daily |capacity|quota)|resource_?exhausted|insufficient_quota|credit balance is too low|out of (?:credits|extra usage)|overloaded(?:_error)?\b/i
const RATE_LIMIT = /rate[ -]?limit/i
const AS_TROUBLE = /exceed|reach|\bhit\b|error|limited\b|retr(?:y|ies)|try again|fail|\b429\b/i
const CODE_429 = /\b(?:429|529)\b/
const AS_CODE = /status|http|error|code|request|api|response/i

const OUTAGE =
  /internal server error|service (?:is )?(?:temporarily )?unavailable|bad gateway|gateway time-?out|upstream connect|server_error|api_error|\b5(?:00|02|03|04|20|22|24)\b/i
const NETWORK =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|getaddrinfo|connection (?:error|refused|reset)|fetch failed|error sending request|stream disconnected|could not resolve host/i

export function providerTrouble(output: string, at: ReadAt): ProviderTrouble | null {
  const lines = lastLines(output)
  for (const line of lines.toReversed()) {
    if (OF_WORK.test(line)) continue
    const why = cut(line)
    if (isLimit(line)) {
      const until = resetTime(line, at) ?? lines.map((one) => resetTime(one, at)).find((one) => one !== null)
      return { kind: 'limited', until: until ?? null, why }
    }
    if (SIGN_IN.test(line) || (UNAUTHORIZED.test(line) && PROVIDER.test(line)))
      return { kind: 'sign_in', why }
    if (isOutage(line)) return { kind: 'limited', until: resetTime(line, at), why }
  }
  return null
}

function isLimit(line: string): boolean {
  if (LIMIT.test(line)) return true
  if (RATE_LIMIT.test(line) && AS_TROUBLE.test(line)) return true
  return CODE_429.test(line) && AS_CODE.test(line)
}

/** Only of what is the provider's: the agent's own work has servers too. */
function isOutage(line: string): boolean {
  if (!PROVIDER.test(line) || LOOPBACK.test(line)) return false
  return NETWORK.test(line) || OUTAGE.test(line)
}

function lastLines(output: string): readonly string[] {
  return output
    .split(/[\r\n]+/)
    .map((line) => plain(line).trim())
    .filter((line) => line !== '')
    .slice(-LAST_LINES)
    .map((line) => line.slice(-LONGEST_LINE))
}

/** Without what a terminal would obey. */
// oxlint-disable-next-line no-control-regex
const plain = (line: string): string => line.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '').replace(/\p{Cc}/gu, '')

const cut = (line: string): string => (line.length <= LONGEST_WHY ? line : `${line.slice(0, LONGEST_WHY)}…`)
