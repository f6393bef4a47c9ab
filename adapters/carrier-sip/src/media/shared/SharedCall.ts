import { latenessBuckets, type LatenessCounts, latenessQuantile } from "../Lateness.js"
import type { MediaStatistics } from "../Media.js"

/**
 * Memory of a call that the main thread and the media thread share, so that they agree on what was played.
 *
 * `position` counts the samples that were played since the last clear. Only the media thread advances it, by an exchange
 * that fails after a clear; only the main thread sets it to `clearMark`. A sample is played exactly when its exchange
 * succeeded, so that what `clear` returns is exact although nothing waits.
 */
export interface SharedCall {
  readonly memory: Int32Array
}

const positionIndex = 0
const generationIndex = 1
const lastPacketIndex = 2
const statisticsIndex = 3
const latenessIndex = 16

const clearMark = -1

/** Stands for a figure that is not known yet. */
const unknownLateness = -0x8000_0000

const microsPerMilli = 1_000

/** Makes the memory of a new call. */
export const makeSharedCall = (): SharedCall => {
  const memory = new Int32Array(
    new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (latenessIndex + latenessBuckets))
  )
  memory[statisticsIndex + 7] = memory[statisticsIndex + 8] = unknownLateness
  return { memory }
}

/** Clears the sound, in the main thread. Returns the samples that were played since the last clear. */
export const clearPlayed = ({ memory }: SharedCall, generation: number): number => {
  Atomics.store(memory, generationIndex, generation)
  return Math.max(0, Atomics.exchange(memory, positionIndex, clearMark))
}

/**
 * Claims samples as played, in the media thread, from a position up to another. Returns false when the main thread has
 * cleared the sound meanwhile.
 */
export const claimPlayed = ({ memory }: SharedCall, from: number, to: number): boolean =>
  Atomics.compareExchange(memory, positionIndex, from, to) === from

/** Takes note of a clear, in the media thread. Returns false when there was none. */
export const acknowledgeClear = ({ memory }: SharedCall): boolean =>
  Atomics.compareExchange(memory, positionIndex, clearMark, 0) === clearMark

/** Number of clears so far. Read after `acknowledgeClear`, it is not older than the clear. */
export const generationOf = ({ memory }: SharedCall): number => Atomics.load(memory, generationIndex)

/** Keeps the time of the last packet that arrived, in milliseconds of the common clock. */
export const markArrival = ({ memory }: SharedCall, now: number): void => {
  Atomics.store(memory, lastPacketIndex, Math.floor(now) | 0)
}

/** True once a packet has arrived. */
export const hasArrived = ({ memory }: SharedCall): boolean => Atomics.load(memory, lastPacketIndex) !== 0

/** Milliseconds since the last packet that arrived. */
export const quietMillis = ({ memory }: SharedCall, now: number): number =>
  (Math.floor(now) - Atomics.load(memory, lastPacketIndex)) | 0

/** Counts of how late packets of the call were sent. */
export const latenessOf = ({ memory }: SharedCall): LatenessCounts => ({ memory, from: latenessIndex })

/** Publishes the figures of a call, in the media thread. */
export const writeStatistics = ({ memory }: SharedCall, figures: Omit<MediaStatistics, "latenessMillis">): void => {
  const { concealedFrames, delayMillis, jitterMillis, remoteLostPackets, roundTripMillis, ...packets } = figures
  memory[statisticsIndex] = packets.sentPackets
  memory[statisticsIndex + 1] = packets.receivedPackets
  memory[statisticsIndex + 2] = packets.lostPackets
  memory[statisticsIndex + 3] = packets.latePackets
  memory[statisticsIndex + 4] = concealedFrames
  memory[statisticsIndex + 5] = jitterMillis * microsPerMilli
  memory[statisticsIndex + 6] = delayMillis * microsPerMilli
  memory[statisticsIndex + 7] = remoteLostPackets ?? unknownLateness
  memory[statisticsIndex + 8] = roundTripMillis === null ? unknownLateness : roundTripMillis * microsPerMilli
}

/** Reads the figures of a call. */
export const readStatistics = (call: SharedCall): MediaStatistics => {
  const at = (index: number): number => call.memory[statisticsIndex + index] ?? 0
  return {
    sentPackets: at(0),
    receivedPackets: at(1),
    lostPackets: at(2),
    latePackets: at(3),
    concealedFrames: at(4),
    jitterMillis: at(5) / microsPerMilli,
    delayMillis: at(6) / microsPerMilli,
    remoteLostPackets: at(7) === unknownLateness ? null : at(7),
    roundTripMillis: at(8) === unknownLateness ? null : at(8) / microsPerMilli,
    latenessMillis: latenessQuantile([latenessOf(call)], 0.99)
  }
}
