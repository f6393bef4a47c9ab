import type { SmartTurnSession } from "./SmartTurnSession.js"

/** Sound of a call's turn so far, at its pause. */
export interface SmartTurnRequest {
  readonly call: number
  readonly rate: number
  /** Number of the query that it belongs to, which the answer repeats. */
  readonly query: number
  readonly sound: Float32Array
}

/** Probability for a request. */
export interface SmartTurnAnswer {
  readonly call: number
  readonly query: number
  readonly probabilities: ReadonlyArray<number>
}

/** Pauses of many calls, judged one after the other; of each call the latest pause only. */
export interface SmartTurnQueue {
  readonly add: (request: SmartTurnRequest) => void
  /** Forgets a call. */
  readonly forget: (call: number) => void
}

/** Makes the queue of a model. `fail` is called when the model fails. */
export const makeSmartTurnQueue = (
  session: SmartTurnSession,
  answer: (answer: SmartTurnAnswer) => void,
  fail: (error: unknown) => void
): SmartTurnQueue => {
  const waiting = new Map<number, SmartTurnRequest>()
  let isRunning = false

  const judge = async (): Promise<void> => {
    for (let [next] = waiting.values(); next !== undefined; [next] = waiting.values()) {
      const { query, call, rate, sound } = next
      waiting.delete(call)
      answer({ call, query, probabilities: [await session.run(sound, rate)] })
    }
  }

  return {
    add: (request) => {
      waiting.set(request.call, request)
      if (isRunning) return
      isRunning = true
      judge().catch(fail).finally(() => {
        isRunning = false
      })
    },
    forget: (call) => void waiting.delete(call)
  }
}
