/**
 * Estimates the tokens of a turn from the sizes of its texts, for agents that do not report them. A model reads its whole
 * context again at every step: what it was asked, what it wrote, and what its tools answered.
 */

/** Of English text and of code, roughly. */
const CHARACTERS_PER_TOKEN = 4

export class TokenEstimate {
  /** Characters that the model has to read at its next step. */
  #context = 0
  /** Of the steps of this turn, in all. */
  #read = 0
  #written = 0
  #steps = 0
  #isWriting = false
  /** Tokens of each step that no text shows: the agent's own instructions and tools. Learned from what it reports. */
  #hidden = 0

  beginTurn(): void {
    this.#read = 0
    this.#written = 0
    this.#steps = 0
    this.#isWriting = false
  }

  /** A prompt, or what a tool answered. */
  reads(characters: number): void {
    this.#context += characters
    this.#isWriting = false
  }

  /** An answer, a thought, or the arguments of a tool. */
  writes(characters: number): void {
    if (!this.#isWriting) {
      this.#isWriting = true
      this.#steps++
      this.#read += this.#context
    }
    this.#written += characters
    this.#context += characters
  }

  /** The agent says how many tokens its model has in its context now. */
  contextIs(tokens: number): void {
    this.#hidden = Math.max(0, tokens - this.#context / CHARACTERS_PER_TOKEN)
  }

  /** How often the model was asked in this turn. */
  get steps(): number {
    return this.#steps
  }

  /** Of this turn so far. */
  get tokens(): { readonly in: number; readonly out: number } {
    return {
      in: Math.round(this.#read / CHARACTERS_PER_TOKEN + this.#steps * this.#hidden),
      out: Math.ceil(this.#written / CHARACTERS_PER_TOKEN),
    }
  }
}
