import { countLateness, LATENESS_BUCKETS, latenessQuantile } from "./Lateness.js"

/** Figures of all calls of a media thread, in memory that the main thread reads. */
export interface SharedGauges {
  readonly memory: Int32Array
}

/** Seconds over which lateness is counted. */
const SECONDS = 5

/** Seconds of these that a lateness which lasts has reached. */
const MOST_SECONDS = 3

const LOST = 0
const CONCEALED = 1
const REFUSED = 2
const STAMPS = 3
const COUNTS = 8

/** Makes empty figures. */
export const makeSharedGauges = (): SharedGauges => ({
  memory: new Int32Array(
    new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (COUNTS + SECONDS * LATENESS_BUCKETS))
  )
})

const placeOf = (second: number): number => second % SECONDS

/** Counts a packet that was sent some milliseconds late, in the media thread. */
export const countSent = ({ memory }: SharedGauges, now: number, lateMillis: number): void => {
  const second = Math.floor(now / 1_000)
  const place = placeOf(second)
  const from = COUNTS + place * LATENESS_BUCKETS
  if (memory[STAMPS + place] !== (second | 0)) {
    memory.fill(0, from, from + LATENESS_BUCKETS)
    memory[STAMPS + place] = second
  }
  countLateness({ memory, from }, lateMillis)
}

/** Adds to the totals of lost packets and filled frames, in the media thread. */
export const countFaults = ({ memory }: SharedGauges, lost: number, concealed: number): void => {
  Atomics.add(memory, LOST, lost)
  Atomics.add(memory, CONCEALED, concealed)
}

/** Counts a packet of RTP from a source that its call does not listen to, in the media thread. */
export const countRefused = ({ memory }: SharedGauges): void => {
  Atomics.add(memory, REFUSED, 1)
}

/** Reads the totals, and the lateness of the last five seconds: as a whole, and what most of them reached. */
export const readGauges = ({ memory }: SharedGauges, now: number) => {
  const second = Math.floor(now / 1_000)
  const recent = Array.from({ length: SECONDS }, (_, back) => second - back)
    .filter((each) => memory[STAMPS + placeOf(each)] === (each | 0))
    .map((each) => ({ memory, from: COUNTS + placeOf(each) * LATENESS_BUCKETS }))
  const quantiles = recent.map((counts) => latenessQuantile([counts], 0.99)).sort((a, b) => b - a)
  return {
    lostPackets: Atomics.load(memory, LOST),
    concealedFrames: Atomics.load(memory, CONCEALED),
    refusedPackets: Atomics.load(memory, REFUSED),
    latenessMillis: latenessQuantile(recent, 0.99),
    lastingLatenessMillis: quantiles[MOST_SECONDS - 1] ?? 0
  }
}
