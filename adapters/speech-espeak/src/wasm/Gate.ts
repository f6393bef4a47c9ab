/**
 * What a thread and who reads from it share: how many pieces wait to be read. The thread stands still at `most` of them,
 * in the midst of espeak, and hears so that it should stop.
 */
export type Gate = Int32Array<SharedArrayBuffer>

/** A piece has 100 ms of sound: these are 24 seconds. */
const most = 240

/** So far below zero that no number of pieces comes back from it. A piece may be taken before it is counted. */
const stopped = -(2 ** 30)

/** A gate between two threads. */
export const makeGate = (): Gate => new Int32Array(new SharedArrayBuffer(4))

/** Opens the gate for a new utterance. */
export const open = (gate: Gate): void => void Atomics.store(gate, 0, 0)

/** The reader has taken a piece. */
export const taken = (gate: Gate): void => {
  Atomics.sub(gate, 0, 1)
  Atomics.notify(gate, 0)
}

/** The reader wants no more. */
export const stop = (gate: Gate): void => {
  Atomics.store(gate, 0, stopped)
  Atomics.notify(gate, 0)
}

/** Whether nothing more is wanted. */
export const isStopped = (gate: Gate): boolean => Atomics.load(gate, 0) < stopped / 2

/** The thread has given a piece, and waits until it may go on; false when it should not. */
export const given = (gate: Gate): boolean => {
  let waiting = Atomics.add(gate, 0, 1) + 1
  while (waiting >= most) {
    Atomics.wait(gate, 0, waiting)
    waiting = Atomics.load(gate, 0)
  }
  return !isStopped(gate)
}
