/** Number of tables in a set. Each grows on its own, which takes a fraction of a millisecond. */
const tableCount = 256

const smallestTable = 16

/** Size of a page; a longer text has a page to itself. */
const pageBits = 16
const pageBytes = 1 << pageBits

/** Terminator of every text; no byte of a text is 0xff. */
const terminator = 0xff

interface Table {
  /** Pairs of a text's position plus 1, and its hash; 0 in free slots. */
  slots: Uint32Array
  entryCount: number
}

const emptyTable = (): Table => ({ slots: new Uint32Array(2 * smallestTable), entryCount: 0 })
const emptyPage = new Uint8Array(0)

/**
 * A set of millions of texts: exact, compact, without long pauses. The texts are stored as bytes outside the JavaScript
 * heap, and do not keep their source strings alive. A text of n ASCII characters takes n + 1 bytes and 11 to 22 for its
 * slot; the capacity is 4 GB.
 *
 * `seed` decides which texts collide. Use a random one for untrusted texts, so that they cannot be chosen to collide.
 */
export class TextSet {
  readonly #seed: number
  readonly #tables = Array.from({ length: tableCount }, emptyTable)
  readonly #pages: Array<Uint8Array> = []
  /** Number of bytes used in the last page. */
  #filled = pageBytes
  /** The text of the current operation: the string, its bytes, their number with the terminator, and its hash. */
  #last: string | null = null
  #text = new Uint8Array(256)
  #length = 0
  #hash = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  has(text: string): boolean {
    this.#read(text)
    const { slots } = this.#table()
    return slots[this.#find(slots)] !== 0
  }

  /** Adds a text; false if it was there. */
  add(text: string): boolean {
    this.#read(text)
    const table = this.#table()
    const slot = this.#find(table.slots)
    if (table.slots[slot] !== 0) return false
    table.slots[slot] = this.#store() + 1
    table.slots[slot + 1] = this.#hash
    table.entryCount += 1
    if (table.entryCount * 8 > table.slots.length * 3) grow(table)
    return true
  }

  /** Encodes a text: one to three bytes for each UTF-16 code unit, so that different texts have different bytes. */
  #read(text: string): void {
    if (text === this.#last) return
    this.#last = text
    if (this.#text.length <= text.length * 3) this.#text = new Uint8Array(text.length * 3 + 1)
    const bytes = this.#text
    let length = 0
    let hash = this.#seed
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index)
      hash = Math.imul(hash ^ code, 0x5bd1e995)
      hash ^= hash >>> 15
      if (code < 0x80) bytes[length++] = code
      else {
        if (code < 0x800) bytes[length++] = 0xc0 | code >>> 6
        else {
          bytes[length++] = 0xe0 | code >>> 12
          bytes[length++] = 0x80 | code >>> 6 & 0x3f
        }
        bytes[length++] = 0x80 | code & 0x3f
      }
    }
    bytes[length++] = terminator
    hash = Math.imul(hash ^ hash >>> 13, 0x2c1b3c6d)
    this.#length = length
    this.#hash = (hash ^ hash >>> 15) >>> 0
  }

  #table(): Table {
    return this.#tables[this.#hash >>> 24] ?? emptyTable()
  }

  /** The slot that holds the current text, or would hold it. */
  #find(slots: Uint32Array): number {
    const hash = this.#hash
    let slot = firstSlot(slots, hash)
    for (;;) {
      const at = slots[slot] ?? 0
      if (at === 0 || (slots[slot + 1] === hash && this.#isAt(at - 1))) return slot
      slot = nextSlot(slots, slot)
    }
  }

  #isAt(at: number): boolean {
    const page = this.#pages[at >>> pageBits] ?? emptyPage
    const from = at & pageBytes - 1
    const text = this.#text
    for (let index = 0; index < this.#length; index += 1) {
      if (page[from + index] !== text[index]) return false
    }
    return true
  }

  /** Stores the current text; returns its position. */
  #store(): number {
    if (this.#filled + this.#length > pageBytes) {
      this.#pages.push(new Uint8Array(Math.max(pageBytes, this.#length)))
      this.#filled = 0
    }
    const last = this.#pages.length - 1
    const page = this.#pages[last] ?? emptyPage
    const from = this.#filled
    const text = this.#text
    for (let index = 0; index < this.#length; index += 1) page[from + index] = text[index] ?? terminator
    this.#filled += this.#length
    return last * pageBytes + from
  }
}

const firstSlot = (slots: Uint32Array, hash: number): number => hash * 2 & slots.length - 1

const nextSlot = (slots: Uint32Array, slot: number): number => slot + 2 & slots.length - 1

const grow = (table: Table): void => {
  const slots = new Uint32Array(table.slots.length * 2)
  for (let from = 0; from < table.slots.length; from += 2) {
    const at = table.slots[from] ?? 0
    const hash = table.slots[from + 1] ?? 0
    if (at === 0) continue
    let slot = firstSlot(slots, hash)
    while (slots[slot] !== 0) slot = nextSlot(slots, slot)
    slots[slot] = at
    slots[slot + 1] = hash
  }
  table.slots = slots
}
