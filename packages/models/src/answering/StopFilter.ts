import type { TokenChoice } from "../Completion.js"

/**
 * Searches a chunked text for one stop sequence with the Knuth-Morris-Pratt algorithm, which reads every UTF-16 unit
 * once.
 */
class StopSearch {
  readonly #stop: string
  /** Failure function: for each prefix of the sequence, the length of its longest border. */
  readonly #borders: Uint32Array
  /** Length of the prefix of the sequence that the text ends with. */
  #matched = 0
  /** Units of the text read so far. */
  #position = 0
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

  /** Offset of the first occurrence; infinite as long as there is none. */
  get foundAt(): number {
    return this.#foundAt
  }

  /** Offset before which no occurrence can begin any more; infinite once one was found. */
  get clearUntil(): number {
    return this.#foundAt < Infinity ? Infinity : this.#position - this.#matched
  }

  /** Reads the next chunk of the text. */
  push(text: string): void {
    for (let at = 0; at < text.length && this.#foundAt === Infinity; at++) {
      this.#matched = this.#grow(this.#matched, text.charCodeAt(at))
      this.#position += 1
      if (this.#matched === this.#stop.length) this.#foundAt = this.#position - this.#matched
    }
  }

  /** Extends a match by one unit. */
  #grow(matchLength: number, code: number): number {
    let length = matchLength
    while (length > 0 && this.#stop.charCodeAt(length) !== code) length = this.#borders[length] ?? 0
    return this.#stop.charCodeAt(length) === code ? length + 1 : 0
  }
}

/** A chunk of visible text, with the logprobs of its tokens if requested. */
export interface TextPiece {
  readonly text: string
  readonly logprobs?: ReadonlyArray<TokenChoice>
}

interface Placed<A> {
  readonly value: A
  /** Offset in the whole text. */
  readonly at: number
}

/** A first-in, first-out queue with amortized constant time. */
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

/** Checks whether a text ends with a high surrogate. */
const endsInPair = (text: string): boolean => (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800

/**
 * Buffers text that is not emitted yet. The logprobs of a token go with its first character; those of tokens without
 * text go with the text that follows.
 */
class TextBuffer {
  readonly #pieces = new Queue<Placed<string>>()
  readonly #choices = new Queue<Placed<TokenChoice>>()
  #shown = 0
  #end = 0
  #endsInPair = false

  /** True if nothing is buffered. */
  get isEmpty(): boolean {
    return this.#pieces.first === undefined && this.#choices.first === undefined
  }

  /** Length of the text without an incomplete surrogate pair at its end. */
  get wholeEnd(): number {
    return this.#endsInPair ? this.#end - 1 : this.#end
  }

  /** Adds the next chunk. */
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

  /** Takes the text up to an offset, or all of it for `Infinity`; null if there is nothing. */
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

/** Ends a chunked text before the first of its stop sequences. */
export interface StopFilter {
  /** Adds a chunk and returns the text that can be emitted; null while it may be part of a stop sequence. */
  readonly push: (piece: TextPiece) => TextPiece | null
  /** Returns the text that was held back, at the end of the text; null if there is none. */
  readonly flush: () => TextPiece | null
  /**
   * True once a stop sequence was found; nothing is emitted after that. A sequence inside the prefix of another counts
   * only once the other is ruled out, which may be with `flush`.
   */
  readonly isStopped: () => boolean
}

/** Ignores sequences with a lone surrogate: they occur in no valid text, and would split a character. */
const isMatchable = (stop: string): boolean => stop !== "" && !/\p{Surrogate}/u.test(stop)

/**
 * Makes a filter for one text. The match that begins first ends the text and is not emitted. Only text that may be the
 * beginning of a match, and an incomplete surrogate pair, is held back. Every unit is read once per sequence.
 *
 * @example
 * const filter = makeStopFilter(["END"])
 * filter.push({ text: "Hello E" }) // { text: "Hello " }
 */
export const makeStopFilter = (stops: ReadonlyArray<string>): StopFilter => {
  const searches = stops.filter(isMatchable).map((stop) => new StopSearch(stop))
  const buffer = new TextBuffer()
  let isStopped = false

  const foundAt = () => Math.min(...searches.map((search) => search.foundAt))

  return {
    push: (piece) => {
      if (isStopped) return null
      // Most requests have no stop sequence: their text passes without the buffer, but for half a character.
      if (searches.length === 0 && buffer.isEmpty && piece.text !== "" && !endsInPair(piece.text)) {
        const { logprobs = [], text } = piece
        return logprobs.length === 0 ? { text } : { text, logprobs }
      }
      buffer.push(piece)
      for (const search of searches) search.push(piece.text)
      const matchStart = foundAt()
      const clear = Math.min(buffer.wholeEnd, ...searches.map((search) => search.clearUntil))
      isStopped = matchStart <= clear
      return buffer.take(isStopped ? matchStart : clear)
    },
    flush: () => {
      if (isStopped) return null
      const matchStart = foundAt()
      isStopped = matchStart < Infinity
      return buffer.take(matchStart)
    },
    isStopped: () => isStopped
  }
}
