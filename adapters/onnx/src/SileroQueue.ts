import { type SileroInput, type SileroSession, stateSize } from "./SileroSession.js"
import { isSileroRate, type SileroRate } from "./SileroWindows.js"

/** Windows of a call, one after the other. */
export interface SileroRequest {
  readonly call: number
  readonly rate: number
  /** Number of the query that they belong to, which the answer repeats. */
  readonly query: number
  readonly windows: Float32Array
  readonly count: number
}

/** Probabilities of a voice in the windows of a request. */
export interface SileroAnswer {
  readonly call: number
  readonly query: number
  readonly probabilities: ReadonlyArray<number>
}

/** Most windows that the model hears at once. */
const maxBatch = 64

interface Waiting {
  readonly request: SileroRequest
  readonly rate: SileroRate
  readonly probabilities: Array<number>
}

/** Windows of many calls, which the model hears together: 50 at once take a quarter of the time of 50 alone. */
export interface SileroQueue {
  readonly add: (request: SileroRequest) => void
  /** Forgets a call. */
  readonly forget: (call: number) => void
}

/** Makes the queue of a model. `answer` gets one answer for each request; `fail` is called once when the model fails. */
export const makeSileroQueue = (
  session: SileroSession,
  answer: (answer: SileroAnswer) => void,
  fail: (error: unknown) => void
): SileroQueue => {
  const states = new Map<number, Float32Array>()
  let queue: Array<Waiting> = []
  let isRunning = false

  const stateOf = (call: number): Float32Array => {
    const state = states.get(call) ?? new Float32Array(stateSize)
    states.set(call, state)
    return state
  }

  /** The next window of a request. */
  const inputOf = ({ probabilities, request: { call, count, windows } }: Waiting): SileroInput => {
    const size = windows.length / count
    return {
      state: stateOf(call),
      window: windows.subarray(probabilities.length * size, (probabilities.length + 1) * size)
    }
  }

  /** The first requests that can be heard together: one of each call, at one rate. */
  const nextBatch = (): ReadonlyArray<Waiting> => {
    const [first] = queue
    const calls = new Set<number>()
    const batch: Array<Waiting> = []
    for (const each of queue) {
      if (calls.has(each.request.call)) continue
      calls.add(each.request.call)
      if (each.rate === first?.rate && batch.push(each) === maxBatch) break
    }
    return batch
  }

  const hear = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = nextBatch()
      const [first] = batch
      if (first === undefined) return
      const results = await session.run(first.rate, batch.map(inputOf))
      batch.forEach((each, index) => each.probabilities.push(results[index] ?? 0))
      const isDone = ({ probabilities, request }: Waiting): boolean => probabilities.length >= request.count
      for (const { probabilities, request: { query, call } } of batch.filter(isDone)) {
        answer({ call, query, probabilities })
      }
      queue = queue.filter((each) => !isDone(each))
    }
  }

  return {
    add: (request) => {
      if (!isSileroRate(request.rate) || request.count < 1) return
      queue.push({ request, rate: request.rate, probabilities: [] })
      if (isRunning) return
      isRunning = true
      // Requests that have arrived with this one are heard with it.
      setImmediate(() => {
        hear().catch(fail).finally(() => {
          isRunning = false
        })
      })
    },
    forget: (call) => {
      states.delete(call)
      queue = queue.filter(({ request }) => request.call !== call)
    }
  }
}
