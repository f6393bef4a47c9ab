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
