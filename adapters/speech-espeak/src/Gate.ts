/**
 * Shared memory of a thread and its reader: the number of chunks that wait to be read. At `maxWaiting` chunks the thread
 * blocks in the middle of espeak. By the same memory it learns that it has to stop.
 */
export type ChunkGate = Int32Array<SharedArrayBuffer>

/** Maximum number of waiting chunks of 100 ms each: 24 seconds. */
const maxWaiting = 240

/** A value so far below zero that no number of chunks returns from it. A chunk may be taken before it is counted. */
const stopMark = -(2 ** 30)

/** Makes a gate between two threads. */
export const makeGate = (): ChunkGate => new Int32Array(new SharedArrayBuffer(4))

/** Opens the gate for an utterance. */
export const open = (gate: ChunkGate): void => void Atomics.store(gate, 0, 0)

/** Records that the reader has taken a chunk. */
export const noteTaken = (gate: ChunkGate): void => {
  Atomics.sub(gate, 0, 1)
  Atomics.notify(gate, 0)
}

/** Records that the reader stops. */
export const stop = (gate: ChunkGate): void => {
  Atomics.store(gate, 0, stopMark)
  Atomics.notify(gate, 0)
}

/** True when the reader has stopped. */
export const isStopped = (gate: ChunkGate): boolean => Atomics.load(gate, 0) < stopMark / 2

/** Records that the thread has sent a chunk, and blocks while too many wait; false when the reader has stopped. */
export const pushed = (gate: ChunkGate): boolean => {
  let waiting = Atomics.add(gate, 0, 1) + 1
  while (waiting >= maxWaiting) {
    Atomics.wait(gate, 0, waiting)
    waiting = Atomics.load(gate, 0)
  }
  return !isStopped(gate)
}
