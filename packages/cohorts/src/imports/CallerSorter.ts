import { PhoneNumber } from "@trunkline/kernel"
import type { CallerEntry } from "../store/CohortRecords.js"

/** Bits of a position in a segment. A number of 15 digits takes the other 50 bits of a key. */
const positionBits = 14

/** Numbers sorted at a time: about a millisecond of work. */
const segmentSize = 1 << positionBits

/** Numbers are split here into two halves of a key, since bitwise operators work on 32 bits. */
const lowNumbers = 2 ** (32 - positionBits)

/** Indexes of the halves of a key among its two words. */
const [low, high] = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? [0, 1] : [1, 0]

/** Sorted keys: phone numbers with their positions, and the rows at these positions. */
interface Segment {
  readonly words: Uint32Array
  readonly rows: Uint32Array
  readonly length: number
}

/** A segment with the next of its numbers to be merged. */
interface Head {
  readonly segment: Segment
  at: number
  digits: number
}

const wordAt = ({ words }: Segment, key: number, half: number): number => words[key * 2 + half] ?? 0

const digitsAt = (segment: Segment, key: number): number =>
  wordAt(segment, key, high) * lowNumbers + (wordAt(segment, key, low) >>> positionBits)

const rowAt = (segment: Segment, key: number): number => segment.rows[wordAt(segment, key, low) & segmentSize - 1] ?? 0

/** Moves the first head of a heap to its place below the heads with smaller numbers. */
const sink = (heap: Array<Head>): void => {
  const [movedHead] = heap
  if (movedHead === undefined) return
  let place = 0
  for (;;) {
    let child = place * 2 + 1
    const left = heap[child]
    const right = heap[child + 1]
    let min = left
    if (right !== undefined && left !== undefined && right.digits < left.digits) {
      min = right
      child += 1
    }
    if (min === undefined || min.digits >= movedHead.digits) break
    heap[place] = min
    place = child
  }
  heap[place] = movedHead
}

/**
 * Sorts the phone numbers of a file, because building an index is fast in ascending order only. An E.164 number has at
 * most 15 digits, so that it fits a 64-bit key with its position in a segment. A million numbers take 12 MB.
 */
export class CallerSorter {
  readonly #segments: Array<Segment> = []
  #words = new Uint32Array(2 * segmentSize)
  #rows = new Uint32Array(segmentSize)
  #filled = 0

  /** Adds the number of a row. */
  add(phone: PhoneNumber, row: number): void {
    let digits = 0
    for (let index = 1; index < phone.length; index += 1) digits = digits * 10 + phone.charCodeAt(index) - 0x30
    const upper = Math.floor(digits / lowNumbers)
    this.#words[this.#filled * 2 + high] = upper
    this.#words[this.#filled * 2 + low] = (digits - upper * lowNumbers) << positionBits | this.#filled
    this.#rows[this.#filled] = row
    this.#filled++
    if (this.#filled === segmentSize) this.#close()
  }

  /** Merges the sorted segments: all entries in ascending order, in batches. */
  *batches(size: number): Generator<ReadonlyArray<CallerEntry>> {
    this.#close()
    const heap = this.#segments.map((segment): Head => ({ segment, at: 0, digits: digitsAt(segment, 0) }))
      .sort((a, b) => a.digits - b.digits)
    let batch: Array<CallerEntry> = []
    for (let [least] = heap; least !== undefined; [least] = heap) {
      const { at, digits, segment } = least
      if (digits === Infinity) break
      batch.push({
        user_phone_number: PhoneNumber.make(`+${digits}`, { disableValidation: true }),
        row: rowAt(segment, at)
      })
      least.at++
      least.digits = least.at < segment.length ? digitsAt(segment, least.at) : Infinity
      sink(heap)
      if (batch.length === size) {
        yield batch
        batch = []
      }
    }
    if (batch.length > 0) yield batch
  }

  #close(): void {
    if (this.#filled === 0) return
    // Without a function that compares, typed arrays are sorted by their values many times as fast.
    new BigUint64Array(this.#words.buffer, 0, this.#filled).sort()
    this.#segments.push({ words: this.#words, rows: this.#rows, length: this.#filled })
    this.#words = new Uint32Array(2 * segmentSize)
    this.#rows = new Uint32Array(segmentSize)
    this.#filled = 0
  }
}
