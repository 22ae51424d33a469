/** Splits shell text into pipelines in one pass, aware of quotes, `$(…)`, heredocs and comments. */

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

/** An escape, `$(`, a quoted text, the start of a heredoc, an operator, or plain text. */
const TOKEN =
  /\\[^]|\$\(|'[^']*'?|<<<|<<(?:-?[ \t]{0,4}(["']?)([A-Za-z_]\w{0,40})\1)?|&&|\|\||[^\s\\$'"<&|;#()]+|[^]/y
const TOKEN_IN_QUOTES = /\\[^]|\$\(|[^\\$"]+|[^]/y

export function pipelinesOf(source: string): Pipeline[] {
  return new PipelineReader(source).read()
}

class PipelineReader {
  readonly #source: string
  readonly #found: Pipeline[] = []
  /** The open `"` and `(`, the innermost last. */
  readonly #open: ('"' | '(')[] = []
  /** The delimiters of heredocs that start below the current line. */
  readonly #heredocs: string[] = []
  #at = 0
  #line = 0
  /** Null: between words. */
  #word: string | null = null
  #words: string[] = []
  #commands: string[][] = []
  #start = { at: 0, line: 0 }
  /** Where the pipeline ends, without trailing comments. */
  #end = 0
  #joint: Pipeline['joint'] = ''

  constructor(source: string) {
    this.#source = source
  }

  read(): Pipeline[] {
    while (this.#at < this.#source.length) this.#readToken()
    this.#endPipeline('')
    return this.#found
  }

  #readToken(): void {
    const inside = this.#open.at(-1)
    const pattern = inside === '"' ? TOKEN_IN_QUOTES : TOKEN
    pattern.lastIndex = this.#at
    const [token = '', , delimiter] = pattern.exec(this.#source) ?? []
    this.#at += token.length
    this.#line += token.split('\n').length - 1
    if (delimiter !== undefined) this.#heredocs.push(delimiter)
    if (token === '\\\n' && inside === undefined) {
      this.#take('')
      this.#endWord()
    } else if (token.startsWith('\\') && token.length > 1) {
      this.#take(token.slice(1))
    } else if (token === '"') {
      if (inside === '"') this.#open.pop()
      // Quotes inside of `$(…)` are part of the word.
      this.#take(this.#open.includes('(') ? token : '')
      if (inside !== '"') this.#open.push('"')
    } else if (token === '$(') {
      this.#open.push('(')
      this.#take(token)
    } else if (inside === '"') {
      this.#take(token)
    } else if (token.startsWith("'")) {
      this.#take(token.replaceAll("'", ''))
    } else if (token === '\n') {
      this.#endLine(inside)
    } else if (inside === '(') {
      if (token === '(') this.#open.push(token)
      if (token === ')') this.#open.pop()
      this.#take(token)
    } else {
      this.#readPlain(token)
    }
  }

  /** Outside of quotes and brackets. */
  #readPlain(token: string): void {
    switch (token) {
      case ' ':
      case '\t':
        this.#endWord()
        break
      case '&&':
      case '||':
      case ';':
        this.#endPipeline(token)
        break
      case '|':
        this.#endCommand()
        this.#end = this.#at
        break
      case '&':
        if (this.#isRedirection()) this.#take(token)
        else {
          this.#end = this.#at
          this.#endPipeline(token)
        }
        break
      case '#':
        if (this.#word === null) this.#at = this.#lineEnd()
        else this.#take(token)
        break
      default:
        this.#take(token)
    }
  }

  /** Whether the `&` before the cursor belongs to `&>` or `>&`. */
  #isRedirection(): boolean {
    return this.#source[this.#at] === '>' || this.#source[this.#at - 2] === '>'
  }

  #lineEnd(): number {
    const end = this.#source.indexOf('\n', this.#at)
    return end === -1 ? this.#source.length : end
  }

  /** Adds to the current word. */
  #take(text: string): void {
    this.#word = (this.#word ?? '') + text
    this.#end = this.#at
  }

  /** Reads the heredocs of the line; outside of brackets the pipeline ends. */
  #endLine(inside: '(' | undefined): void {
    const from = this.#at
    for (const delimiter of this.#heredocs.splice(0)) this.#skipHeredoc(delimiter)
    if (inside === '(') {
      this.#take(this.#source.slice(from - 1, this.#at))
      return
    }
    if (this.#at > from) this.#end = this.#at
    this.#endPipeline('\n')
  }

  #skipHeredoc(delimiter: string): void {
    while (this.#at < this.#source.length) {
      const end = this.#lineEnd()
      const line = this.#source.slice(this.#at, end)
      this.#at = Math.min(end + 1, this.#source.length)
      this.#line++
      if (line.trim() === delimiter) return
    }
  }

  #endWord(): void {
    if (this.#word !== null && this.#word !== '') this.#words.push(this.#word)
    this.#word = null
  }

  #endCommand(): void {
    this.#endWord()
    if (this.#words.length > 0) this.#commands.push(this.#words)
    this.#words = []
  }

  #endPipeline(joint: Pipeline['joint']): void {
    this.#endCommand()
    if (this.#commands.length > 0) {
      const text = this.#source.slice(this.#start.at, this.#end).trim()
      this.#found.push({ text, commands: this.#commands, line: this.#start.line, joint: this.#joint })
      this.#joint = joint
    } else if (this.#joint !== '&&' && this.#joint !== '||' && this.#found.length > 0 && joint !== '') {
      this.#joint = joint
    }
    this.#commands = []
    this.#start = { at: this.#at, line: this.#line }
    this.#end = this.#at
  }
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
    !isStructured(pipelines) && pipelines.every((one) => !one.text.includes('\n') && !one.text.endsWith('&'))
  return pipelines.reduce((text, { joint, text: next }, index) => {
    if (index === 0) return next
    if (!plain) return joint === '&&' || joint === '||' ? `${text} ${joint} ${next}` : `${text}\n${next}`
    if (joint === '||') return `${text} || ${next}`
    return joint === ';' ? `${text}; ${next}` : `${text} && ${next}`
  }, '')
}
