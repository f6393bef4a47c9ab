import { countLateness, latenessBuckets, latenessQuantile } from "../Lateness.js"

/** Figures of all calls of a media thread, in memory that the main thread reads. */
export interface SharedGauges {
  readonly memory: Int32Array
}

/** Seconds over which lateness is counted. */
const secondCount = 5

/** Seconds of these that a lateness which lasts has reached. */
const maxSeconds = 3

const lostIndex = 0
const concealedIndex = 1
const refusedIndex = 2
const stampsIndex = 3
const countFields = 8

/** Makes empty figures. */
export const makeSharedGauges = (): SharedGauges => ({
  memory: new Int32Array(
    new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (countFields + secondCount * latenessBuckets))
  )
})

const placeOf = (second: number): number => second % secondCount

/** Counts a packet that was sent some milliseconds late, in the media thread. */
export const countSent = ({ memory }: SharedGauges, now: number, lateMillis: number): void => {
  const second = Math.floor(now / 1_000)
  const place = placeOf(second)
  const from = countFields + place * latenessBuckets
  if (memory[stampsIndex + place] !== (second | 0)) {
    memory.fill(0, from, from + latenessBuckets)
    memory[stampsIndex + place] = second
  }
  countLateness({ memory, from }, lateMillis)
}

/** Adds to the totals of lost packets and filled frames, in the media thread. */
export const countFaults = ({ memory }: SharedGauges, lost: number, concealed: number): void => {
  Atomics.add(memory, lostIndex, lost)
  Atomics.add(memory, concealedIndex, concealed)
}

/** Counts a packet of RTP from a source that its call does not listen to, in the media thread. */
export const countRefused = ({ memory }: SharedGauges): void => {
  Atomics.add(memory, refusedIndex, 1)
}

/** Reads the totals, and the lateness of the last five seconds: as a whole, and what most of them reached. */
export const readGauges = ({ memory }: SharedGauges, now: number) => {
  const second = Math.floor(now / 1_000)
  const recent = Array.from({ length: secondCount }, (_, back) => second - back)
    .filter((each) => memory[stampsIndex + placeOf(each)] === (each | 0))
    .map((each) => ({ memory, from: countFields + placeOf(each) * latenessBuckets }))
  const quantiles = recent.map((counts) => latenessQuantile([counts], 0.99)).sort((a, b) => b - a)
  return {
    lostPackets: Atomics.load(memory, lostIndex),
    concealedFrames: Atomics.load(memory, concealedIndex),
    refusedPackets: Atomics.load(memory, refusedIndex),
    latenessMillis: latenessQuantile(recent, 0.99),
    lastingLatenessMillis: quantiles[maxSeconds - 1] ?? 0
  }
}
