/** Texts that are remembered, in UTF-16 units: shorter ones are counted quickly, longer ones take too much room. */
const worthwhile = { least: 1_024, most: 262_144 }

/** UTF-16 units of all texts that are remembered, 8 MB at the most. */
const room = 4_194_304

/**
 * The counts of long texts that came lately. Instructions and earlier turns come again with every turn of a
 * conversation.
 */
export class Counts {
  readonly #known = new Map<string, number>()
  #taken = 0

  /** What a text counted; undefined when it is not known any more. */
  get(text: string): number | undefined {
    const count = this.#known.get(text)
    if (count !== undefined) {
      this.#known.delete(text)
      this.#known.set(text, count)
    }
    return count
  }

  /** Remembers what a text counts; what was asked for least lately makes room. */
  set(text: string, count: number): void {
    if (text.length < worthwhile.least || text.length > worthwhile.most || this.#known.has(text)) return
    this.#known.set(text, count)
    this.#taken += text.length
    for (const oldest of this.#known.keys()) {
      if (this.#taken <= room) return
      this.#known.delete(oldest)
      this.#taken -= oldest.length
    }
  }
}
