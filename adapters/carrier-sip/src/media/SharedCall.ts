import { LATENESS_BUCKETS, type LatenessCounts, latenessQuantile } from "./Lateness.js"
import type { MediaStatistics } from "./Media.js"

/**
 * Memory of a call that the main thread and the media thread share, so that they agree on what was played.
 *
 * `position` counts the samples that were played since the last clear. Only the media thread advances it, by an exchange
 * that fails after a clear; only the main thread sets it to `CLEARED`. A sample is played exactly when its exchange
 * succeeded, so that what `clear` returns is exact although nothing waits.
 */
export interface SharedCall {
  readonly memory: Int32Array
}

const POSITION = 0
const GENERATION = 1
const LAST_PACKET = 2
const STATISTICS = 3
const LATENESS = 16

const CLEARED = -1

/** Stands for a figure that is not known yet. */
const UNKNOWN = -0x8000_0000

const MICROS = 1_000

/** Makes the memory of a new call. */
export const makeSharedCall = (): SharedCall => {
  const memory = new Int32Array(
    new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (LATENESS + LATENESS_BUCKETS))
  )
  memory[STATISTICS + 7] = memory[STATISTICS + 8] = UNKNOWN
  return { memory }
}

/** Clears the sound, in the main thread. Returns the samples that were played since the last clear. */
export const clearPlayed = ({ memory }: SharedCall, generation: number): number => {
  Atomics.store(memory, GENERATION, generation)
  return Math.max(0, Atomics.exchange(memory, POSITION, CLEARED))
}

/**
 * Claims samples as played, in the media thread, from a position up to another. Returns false when the main thread has
 * cleared the sound meanwhile.
 */
export const claimPlayed = ({ memory }: SharedCall, from: number, to: number): boolean =>
  Atomics.compareExchange(memory, POSITION, from, to) === from

/** Takes note of a clear, in the media thread. Returns false when there was none. */
export const acknowledgeClear = ({ memory }: SharedCall): boolean =>
  Atomics.compareExchange(memory, POSITION, CLEARED, 0) === CLEARED

/** Number of clears so far. Read after `acknowledgeClear`, it is not older than the clear. */
export const generationOf = ({ memory }: SharedCall): number => Atomics.load(memory, GENERATION)

/** Keeps the time of the last packet that arrived, in milliseconds of the common clock. */
export const markArrival = ({ memory }: SharedCall, now: number): void => {
  Atomics.store(memory, LAST_PACKET, Math.floor(now) | 0)
}

/** True once a packet has arrived. */
export const hasArrived = ({ memory }: SharedCall): boolean => Atomics.load(memory, LAST_PACKET) !== 0

/** Milliseconds since the last packet that arrived. */
export const quietMillis = ({ memory }: SharedCall, now: number): number =>
  (Math.floor(now) - Atomics.load(memory, LAST_PACKET)) | 0

/** Counts of how late packets of the call were sent. */
export const latenessOf = ({ memory }: SharedCall): LatenessCounts => ({ memory, from: LATENESS })

/** Publishes the figures of a call, in the media thread. */
export const writeStatistics = ({ memory }: SharedCall, figures: Omit<MediaStatistics, "latenessMillis">): void => {
  const { concealedFrames, delayMillis, jitterMillis, remoteLostPackets, roundTripMillis, ...packets } = figures
  memory[STATISTICS] = packets.sentPackets
  memory[STATISTICS + 1] = packets.receivedPackets
  memory[STATISTICS + 2] = packets.lostPackets
  memory[STATISTICS + 3] = packets.latePackets
  memory[STATISTICS + 4] = concealedFrames
  memory[STATISTICS + 5] = jitterMillis * MICROS
  memory[STATISTICS + 6] = delayMillis * MICROS
  memory[STATISTICS + 7] = remoteLostPackets ?? UNKNOWN
  memory[STATISTICS + 8] = roundTripMillis === null ? UNKNOWN : roundTripMillis * MICROS
}

/** Reads the figures of a call. */
export const readStatistics = (call: SharedCall): MediaStatistics => {
  const at = (index: number): number => call.memory[STATISTICS + index] ?? 0
  return {
    sentPackets: at(0),
    receivedPackets: at(1),
    lostPackets: at(2),
    latePackets: at(3),
    concealedFrames: at(4),
    jitterMillis: at(5) / MICROS,
    delayMillis: at(6) / MICROS,
    remoteLostPackets: at(7) === UNKNOWN ? null : at(7),
    roundTripMillis: at(8) === UNKNOWN ? null : at(8) / MICROS,
    latenessMillis: latenessQuantile([latenessOf(call)], 0.99)
  }
}
