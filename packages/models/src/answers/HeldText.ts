import type { TokenChoice } from "../answer/Delta.js"

/** A piece of visible text, with the likelihood of its tokens where that was asked for. */
export interface TextPiece {
  readonly text: string
  readonly logprobs?: ReadonlyArray<TokenChoice>
}

interface Placed<A> {
  readonly value: A
  /** Where in the whole text it begins. */
  readonly at: number
}

/** First in, first out, without moving what is left. */
class Queue<A> {
  readonly #items: Array<A> = []
  #first = 0

  add(item: A): void {
    this.#items.push(item)
  }

  get first(): A | undefined {
    return this.#items[this.#first]
  }

  drop(): void {
    this.#first += 1
    if (this.#first * 2 < this.#items.length) return
    this.#items.splice(0, this.#first)
    this.#first = 0
  }
}

/** Whether a text ends with the first half of a pair. */
const endsInPair = (text: string): boolean => (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800

/**
 * Text that came in and was not shown yet. Each token's likelihood goes with the first character of the token; those of
 * tokens without text go with what comes next.
 */
export class HeldText {
  readonly #pieces = new Queue<Placed<string>>()
  readonly #choices = new Queue<Placed<TokenChoice>>()
  #shown = 0
  #end = 0
  #endsInPair = false

  /** How much text came in, without half a character at its end. */
  get wholeEnd(): number {
    return this.#endsInPair ? this.#end - 1 : this.#end
  }

  /** Takes in the next piece. */
  push({ logprobs = [], text }: TextPiece): void {
    const last = Math.max(this.#end, this.#end + text.length - 1)
    let at = this.#end
    for (const value of logprobs) {
      this.#choices.add({ value, at: Math.min(at, last) })
      at += value.token.length
    }
    if (text === "") return
    this.#pieces.add({ value: text, at: this.#end })
    this.#end += text.length
    this.#endsInPair = endsInPair(text)
  }

  /** What was not shown before of the text up to a place, all of it where that is infinite; null when there is nothing. */
  take(until: number): TextPiece | null {
    let text = ""
    for (let piece = this.#pieces.first; piece !== undefined && this.#shown < until; piece = this.#pieces.first) {
      const part = piece.value.slice(this.#shown - piece.at, until - piece.at)
      text += part
      this.#shown += part.length
      if (this.#shown === piece.at + piece.value.length) this.#pieces.drop()
    }
    const logprobs: Array<TokenChoice> = []
    for (let choice = this.#choices.first; choice !== undefined && choice.at < until; choice = this.#choices.first) {
      logprobs.push(choice.value)
      this.#choices.drop()
    }
    if (text === "" && logprobs.length === 0) return null
    return logprobs.length === 0 ? { text } : { text, logprobs }
  }
}
