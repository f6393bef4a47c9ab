import { PhoneNumber } from "@trunkline/kernel"
import type { CallerEntry } from "../store/CohortRecords.js"

/** Numbers sorted at a time: a few milliseconds of work. */
const segmentSize = 16_384

interface Segment {
  readonly digits: Float64Array
  readonly rows: Uint32Array
}

const sortSegment = ({ digits, rows }: Segment, count: number): Segment => {
  const order = Uint32Array.from({ length: count }, (_, index) => index)
    .sort((a, b) => (digits[a] ?? 0) - (digits[b] ?? 0))
  return {
    digits: Float64Array.from(order, (from) => digits[from] ?? 0),
    rows: Uint32Array.from(order, (from) => rows[from] ?? 0)
  }
}

/**
 * Sorts the phone numbers of a file, because building an index is fast in ascending order only. An E.164 number has at
 * most 15 digits, so it fits a double; a million numbers take 12 MB.
 */
export class CallerSorter {
  readonly #segments: Array<Segment> = []
  #digits = new Float64Array(segmentSize)
  #rows = new Uint32Array(segmentSize)
  #filled = 0

  /** Adds the number of a row. */
  add(phone: PhoneNumber, row: number): void {
    this.#digits[this.#filled] = Number(phone.slice(1))
    this.#rows[this.#filled] = row
    this.#filled++
    if (this.#filled === segmentSize) this.#close()
  }

  /** Merges the sorted segments: all entries in ascending order, in batches. */
  *batches(size: number): Generator<ReadonlyArray<CallerEntry>> {
    this.#close()
    const heads = this.#segments.map((segment) => ({ segment, at: 0 }))
    let batch: Array<CallerEntry> = []
    for (;;) {
      let least: typeof heads[number] | undefined
      let digits = Infinity
      for (const head of heads) {
        const candidate = head.segment.digits[head.at] ?? Infinity
        if (candidate < digits) {
          digits = candidate
          least = head
        }
      }
      if (least === undefined) break
      batch.push({
        user_phone_number: PhoneNumber.make(`+${digits}`, { disableValidation: true }),
        row: least.segment.rows[least.at] ?? 0
      })
      least.at++
      if (batch.length === size) {
        yield batch
        batch = []
      }
    }
    if (batch.length > 0) yield batch
  }

  #close(): void {
    if (this.#filled === 0) return
    this.#segments.push(sortSegment({ digits: this.#digits, rows: this.#rows }, this.#filled))
    this.#digits = new Float64Array(segmentSize)
    this.#rows = new Uint32Array(segmentSize)
    this.#filled = 0
  }
}
