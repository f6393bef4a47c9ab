import type { TokenChoice } from "../Completion.js"

/**
 * Looks for one stop sequence in a text that comes in pieces, by the method of Knuth, Morris and Pratt: every UTF-16 unit
 * is looked at once, whatever repeats itself in the text or in the sequence.
 */
export class StopSearch {
  readonly #stop: string
  /** For each beginning of the sequence, how much of its end is a beginning of the sequence as well. */
  readonly #borders: Uint32Array
  /** How much of the sequence the text ends with. */
  #matched = 0
  /** How much of the text was looked at. */
  #seen = 0
  #foundAt = Infinity

  constructor(stop: string) {
    this.#stop = stop
    this.#borders = new Uint32Array(stop.length + 1)
    let border = 0
    for (let length = 2; length <= stop.length; length++) {
      border = this.#grow(border, stop.charCodeAt(length - 1))
      this.#borders[length] = border
    }
  }

  /** Where the text has the sequence for the first time; infinite as long as it has not. */
  get foundAt(): number {
    return this.#foundAt
  }

  /** Before this place nothing that comes next makes the sequence begin; infinite once it was found. */
  get clearUntil(): number {
    return this.#foundAt < Infinity ? Infinity : this.#seen - this.#matched
  }

  /** Takes the next piece of the text. */
  push(text: string): void {
    for (let at = 0; at < text.length && this.#foundAt === Infinity; at++) {
      this.#matched = this.#grow(this.#matched, text.charCodeAt(at))
      this.#seen += 1
      if (this.#matched === this.#stop.length) this.#foundAt = this.#seen - this.#matched
    }
  }

  /** How much of the sequence is matched with one more unit, when so much is matched before it. */
  #grow(matched: number, code: number): number {
    let length = matched
    while (length > 0 && this.#stop.charCodeAt(length) !== code) length = this.#borders[length] ?? 0
    return this.#stop.charCodeAt(length) === code ? length + 1 : 0
  }
}

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
export class TextBuffer {
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

/** Ends a text before the first of its stop sequences, wherever its pieces are cut. */
export interface StopFilter {
  /** What may be shown once this piece has come in; null while it may still be part of a stop sequence. */
  readonly push: (piece: TextPiece) => TextPiece | null
  /** What was held back, once the text is over; null when there is nothing. */
  readonly flush: () => TextPiece | null
  /**
   * Whether a stop sequence was met: nothing comes after that. One that lies within the beginning of another is only met
   * once it is clear that the other does not come, which may be with `flush`.
   */
  readonly stopped: () => boolean
}

/** Sequences with half a character in them stand in no text, and would cut one in two. */
const isMatchable = (stop: string): boolean => stop !== "" && !/\p{Surrogate}/u.test(stop)

/**
 * A filter for one text. The match that begins first ends the text, and is not shown; what may be the beginning of a
 * match is held back, and so is the first half of a character, but nothing else. Every unit of the text is looked at
 * once for each sequence.
 */
export const makeStopFilter = (stops: ReadonlyArray<string>): StopFilter => {
  const searches = stops.filter(isMatchable).map((stop) => new StopSearch(stop))
  const held = new TextBuffer()
  let met = false

  const foundAt = () => Math.min(...searches.map((search) => search.foundAt))

  return {
    push: (piece) => {
      if (met) return null
      held.push(piece)
      for (const search of searches) search.push(piece.text)
      const found = foundAt()
      const clear = Math.min(held.wholeEnd, ...searches.map((search) => search.clearUntil))
      met = found <= clear
      return held.take(met ? found : clear)
    },
    flush: () => {
      if (met) return null
      const found = foundAt()
      met = found < Infinity
      return held.take(found)
    },
    stopped: () => met
  }
}
