import type { AnswerVerdict, CallAnswer } from "@trunkline/kernel"
import type { Effect } from "effect"

/** Party that answered a call, as a leg learns it while it listens. */
export interface AnswerSense {
  /** Completes with the first verdict, at most some seconds after the answer. */
  readonly verdict: Effect.Effect<AnswerVerdict>
  /** Completes with the verdict that takes the place of another one; at once when there is one already. */
  readonly revision: (of: AnswerVerdict) => Effect.Effect<AnswerVerdict>
  /** Completes when a machine is ready for a message: after its tone, or else after the end of its greeting. */
  readonly ready: Effect.Effect<void>
}

/** Longest text of the words of a verdict, in characters. */
const maxWords = 200

/** Words of a verdict; null without any. */
export const verdictWords = (words: string): string | null => {
  const text = words.trim()
  return text === "" ? null : [...text].slice(0, maxWords).join("")
}

/** True for answers at which there was nobody to talk to: the call reached no person, unless the agent went on. */
export const isNobody = ({ action, answered_by }: CallAnswer): boolean =>
  action === "message_left" || (action === "hung_up" && answered_by !== "person")
