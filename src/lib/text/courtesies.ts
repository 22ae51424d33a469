/** Sentences that people write around a request: greetings, good wishes, thanks, signatures. */

const NAME = String.raw`(?:(?:Mr|Mrs|Ms|Dr|Herr|Frau)\.?\s)?\p{Lu}[\p{L}.'-]*(?:\s\p{Lu}[\p{L}.'-]*)?`
const EVERYBODY = 'all|everyone|everybody|team|folks|guys|there|again|both|zusammen|à tous'

/** Whole sentences. Names begin with a capital, so that "Thank you page" is none. */
const COURTESIES: readonly RegExp[] = [
  new RegExp(
    String.raw`^(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear|[Gg]reetings|[Hh]allo|[Mm]oin|[Gg]ood (?:morning|evening|afternoon)|[Gg]uten (?:Tag|Morgen)|[Bb]onjour|[Hh]ola|[Cc]iao)[\s,]+(?:(?:${EVERYBODY})|(?!World\b)${NAME})[\s,!.]*$`,
    'u',
  ),
  /^(?:hi|hello|hey|hallo|moin|(?:good )?(?:morning|afternoon|evening|day)|guten (?:tag|morgen)|bonjour|hola|ciao|buenos días|please|bitte)[\s,!.]*$/i,
  /^(?:i |we )?(?:hope|trust) (?:that )?(?:you|this|all|everything|everyone)\b.{0,60}\b(?:well|fine|good|great|ok|okay|fun|weekend)\b[\s!.]*$/i,
  /^(?:how are you|how is it going|nice to meet you|long time no see)\b.{0,40}$/i,
  new RegExp(
    String.raw`^(?:[Mm]any thanks|[Tt]hanks|[Tt]hank you|[Tt]hx|[Cc]heers|[Bb]est|[Rr]egards|[Gg]reetings|[Yy]ours|[Dd]anke|[Vv]ielen Dank|[Mm]erci|[Gg]racias|(?:[Kk]ind|[Bb]est|[Ww]arm) (?:regards|wishes)|[Vv]iele Grüße|[Ll]iebe Grüße|[Mm]it freundlichen Grüßen)(?:[\s,!]+(?:a lot|so much|very much|in advance|sincerely|truly|and|(?:kind|best|warm) (?:regards|wishes)|regards|schon mal|im Voraus|${EVERYBODY}|for (?:your|the|reading|looking|helping|listening|considering)\b[^.!?]{0,40}))*[\s,!.–-]*(?:${NAME})?[\s!.]*$`,
    'u',
  ),
]

export const isCourtesy = (text: string): boolean =>
  text.length < 160 && COURTESIES.some((courtesy) => courtesy.test(text.trim()))
