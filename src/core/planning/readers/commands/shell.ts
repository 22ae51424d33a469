/** Splits shell text into commands as far as first words need it: quotes, `$(…)`, heredocs and comments. */

/** One pipeline: the text between `&&`, `||`, `;` and line ends. */
export interface Pipeline {
  /** As written, line ends inside quotes included. */
  readonly text: string
  /** The words of each command in the pipe, without quotes. */
  readonly commands: readonly (readonly string[])[]
  /** Line ends before it in the whole text. */
  readonly line: number
  /** The operator before it. */
  readonly joint: '' | '&&' | '||' | ';' | '&' | '\n'
}

const TOKEN = new RegExp(
  [
    // `"$(cat <<EOF … EOF)"`, in which nothing ends but at the delimiter
    String.raw`"?\$\([^\n()]{0,80}<<-?\s?['"]?(?<inner>\w{1,40})['"]?\n(?:[^]*?\n)?\s{0,40}\k<inner>\s{0,40}\)"?`,
    String.raw`(?<blank>[ \t\r]+|\\\n)`,
    String.raw`(?<comment>(?<![^\s;&|])#[^\n]*)`,
    String.raw`(?<end>&&|\|\||[;\n])`,
    String.raw`(?<redirection>\d?>&|&>)`,
    String.raw`(?<single>[|&])`,
    '<<<',
    String.raw`<<-?[ \t]{0,4}["']?(?<heredoc>[A-Za-z_]\w{0,40})["']?`,
    String.raw`\\[^]|'[^']*'?|"(?:\\[^]|\$\((?:[^()]|\([^()]*\))*\)|[^"\\])*"?|\$\((?:[^()]|\([^()]*\))*\)?`,
    String.raw`[^\s\\'"$<>;&|]+|[^]`,
  ].join('|'),
  'y',
)

export function pipelinesOf(source: string): Pipeline[] {
  const found: Pipeline[] = []
  const heredocs: string[] = []
  let commands: string[][] = []
  let words: string[] = []
  let word: string | null = null
  let start = 0
  let end = 0
  let line = 0
  let joint: Pipeline['joint'] = ''
  const endWord = (): void => {
    if (word !== null && word !== '') words.push(word)
    word = null
  }
  const endCommand = (): void => {
    endWord()
    if (words.length > 0) commands.push(words)
    words = []
  }
  const endPipeline = (next: Pipeline['joint'], at: number): void => {
    endCommand()
    if (commands.length > 0) {
      found.push({ text: source.slice(start, end).trim(), commands, line, joint })
      joint = next
    } else if (joint !== '&&' && joint !== '||' && found.length > 0) joint = next
    line += source.slice(start, at).split('\n').length - 1
    commands = []
    start = at
    end = at
  }
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(source)
    const [token = ''] = match ?? []
    const { blank, comment, end: separator, single, heredoc } = match?.groups ?? {}
    const next = TOKEN.lastIndex
    if (blank !== undefined) endWord()
    else if (comment !== undefined) continue
    else if (separator !== undefined) {
      const bodyEnd = separator === '\n' ? skipHeredocs(source, next, heredocs.splice(0)) : next
      if (bodyEnd > next) end = bodyEnd
      endPipeline(separator as Pipeline['joint'], bodyEnd)
      TOKEN.lastIndex = bodyEnd
    } else if (single !== undefined) {
      end = next
      if (single === '|') endCommand()
      else endPipeline('&', next)
    } else {
      if (heredoc !== undefined) heredocs.push(heredoc)
      word = (word ?? '') + unquoted(token)
      end = next
    }
  }
  endPipeline('', source.length)
  return found
}

/** Where the heredocs that begin at an index end. */
function skipHeredocs(source: string, from: number, delimiters: readonly string[]): number {
  let at = from
  for (const delimiter of delimiters) {
    for (let isOpen = true; isOpen && at < source.length;) {
      const end = source.indexOf('\n', at)
      isOpen = source.slice(at, end === -1 ? undefined : end).trim() !== delimiter
      at = end === -1 ? source.length : end + 1
    }
  }
  return at
}

function unquoted(token: string): string {
  if (token.startsWith("'")) return token.replaceAll("'", '')
  if (token.startsWith('"')) return token.replace(/^"|(?<!\\)"$/g, '').replaceAll(/\\([^])/g, '$1')
  return token.startsWith('\\') ? token.slice(1) : token
}

const STRUCTURE = /^(?:for|while|until|if|case|do|done|then|else|fi|esac|\{|\})$/

/** A loop, a condition or a function: removing one command would break the rest. */
export function isStructured(pipelines: readonly Pipeline[]): boolean {
  return pipelines.some(
    ({ commands, text }) => STRUCTURE.test(commands[0]?.[0] ?? '') || /^[\w-]{1,80}\(\)/.test(text),
  )
}

/** Joins pipelines to one command; line ends become `&&` where that is equivalent. */
export function joined(pipelines: readonly Pipeline[]): string {
  const plain =
    !isStructured(pipelines) && pipelines.every(({ text }) => !text.includes('\n') && !text.endsWith('&'))
  return pipelines.reduce((text, { joint, text: next }, index) => {
    if (index === 0) return next
    if (!plain) return joint === '&&' || joint === '||' ? `${text} ${joint} ${next}` : `${text}\n${next}`
    if (joint === '||') return `${text} || ${next}`
    return joint === ';' ? `${text}; ${next}` : `${text} && ${next}`
  }, '')
}
