import type { AgentContext } from "../agent/AgentContext.js"

/** Copies after which an answer counts as not acknowledged: the other side has repeated it for 7 seconds. */
const doubtfulCopies = 4

/** Copies after which it has never been acknowledged: the other side gives up after ten, and some may be lost. */
const lostCopies = 8

/** Time without a copy after which the other side has our ACK, in milliseconds: it repeats at least every T2. */
const calm = ({ timers }: AgentContext): number => 1.5 * timers.t2

/** Copies of the answer to a call of ours, which come as long as our ACK does not arrive. */
export interface AnswerCopies {
  readonly note: () => void
  /** True while the other side repeats its answer as if it had no ACK yet. */
  readonly isDoubtful: () => boolean
  /** True when it has repeated its answer until it gave up. */
  readonly isLost: () => boolean
}

/** Counts the copies of an answer until no further one comes. */
export const countCopies = (agent: AgentContext): AnswerCopies => {
  let count = 0
  let stop = () => {}
  return {
    note: () => {
      count++
      stop()
      stop = agent.after(calm(agent), () => {
        count = 0
      })
    },
    isDoubtful: () => count >= doubtfulCopies,
    isLost: () => count >= lostCopies
  }
}
