/**
 * Reads the tags of an XML text in one pass, without recursion. It rejects a document type, because it could declare
 * entities; keeps unknown entities as written; and drops text between tags.
 */

export type XmlTag =
  | {
      readonly kind: 'open'
      readonly name: string
      readonly attributes: Readonly<Record<string, string>>
      /** `<a/>`: no closing tag follows. */
      readonly isEmpty: boolean
    }
  | { readonly kind: 'close'; readonly name: string }

export type XmlRead =
  | { readonly ok: true; readonly tags: readonly XmlTag[] }
  | { readonly ok: false; readonly why: string }

const MAX_TAGS = 500_000

export function readXmlTags(text: string): XmlRead {
  const tags: XmlTag[] = []
  let at = 0
  while (tags.length <= MAX_TAGS) {
    const start = text.indexOf('<', at)
    if (start === -1) return { ok: true, tags }
    const special = SPECIALS.find(({ opens }) => text.startsWith(opens, start))
    if (special !== undefined) {
      const end = text.indexOf(special.closes, start + special.opens.length)
      if (end === -1) return { ok: false, why: `a ${special.what} does not end` }
      at = end + special.closes.length
      continue
    }
    if (text.startsWith('<!', start)) return { ok: false, why: 'it declares a document type' }
    const end = endOfTag(text, start)
    if (end === -1) return { ok: false, why: 'a tag does not end' }
    const tag = tagOf(text.slice(start + 1, end))
    if (tag !== null) tags.push(tag)
    at = end + 1
  }
  return { ok: false, why: `it has more than ${MAX_TAGS} tags` }
}

const SPECIALS = [
  { opens: '<!--', closes: '-->', what: 'comment' },
  { opens: '<![CDATA[', closes: ']]>', what: 'CDATA section' },
  { opens: '<?', closes: '?>', what: 'processing instruction' },
] as const

/** The position of the tag's `>`, not of one in quotes. */
function endOfTag(text: string, start: number): number {
  let quote = ''
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at)
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === '"' || char === "'") {
      quote = char
    } else if (char === '>') {
      return at
    }
  }
  return -1
}

function tagOf(inner: string): XmlTag | null {
  if (inner.startsWith('/')) return { kind: 'close', name: inner.slice(1).trim() }
  const name = /^[A-Za-z_][\w:.-]*/.exec(inner)?.[0]
  if (name === undefined) return null
  return {
    kind: 'open',
    name,
    attributes: attributesOf(inner.slice(name.length)),
    isEmpty: inner.endsWith('/'),
  }
}

/** The lookbehind keeps it linear: no match is tried within a name. */
const ATTRIBUTE = /(?<![\w:.-])([A-Za-z_][\w:.-]*)\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)')/g

function attributesOf(text: string): Readonly<Record<string, string>> {
  const found = [...text.matchAll(ATTRIBUTE)]
  return Object.fromEntries(
    found.map(([, name = '', double, single]) => [name, decoded(double ?? single ?? '')] as const),
  )
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decoded(value: string): string {
  if (!value.includes('&')) return value
  return value.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, dec, hex, name) => {
    if (typeof name === 'string') return ENTITIES[name] ?? whole
    const code = typeof dec === 'string' ? Number(dec) : Number.parseInt(String(hex), 16)
    return isPrintable(code) ? String.fromCodePoint(code) : ' '
  })
}

function isPrintable(code: number): boolean {
  return (
    (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff))
  )
}
