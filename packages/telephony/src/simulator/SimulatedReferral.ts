import { BusinessTime } from "@trunkline/kernel"
import { Duration, Effect } from "effect"
import type { ReferResult } from "../call/Transfer.js"
import type { CalleeReaction } from "./Callee.js"
import type { Refer } from "./SimulatedCall.js"

const noAnswer: ReferResult = { _tag: "NotTaken", outcome: "no_answer", reason: null }

const resultOf = (reaction: CalleeReaction, ringMillis: number): ReferResult => {
  if (reaction._tag === "Refused") return { _tag: "NotTaken", outcome: "failed", reason: reaction.reason }
  if (reaction.afterSeconds * 1000 > ringMillis) return noAnswer
  if (reaction._tag === "Answered") return { _tag: "Taken" }
  const { reason, status } = reaction
  return reason === "declined"
    ? { _tag: "NotTaken", outcome: "declined", reason: null }
    : { _tag: "NotTaken", outcome: status, reason }
}

/** Connects calls with addresses, which ring as those do that are dialled. */
export const makeReferral = (reactionTo: (to: string) => CalleeReaction): Refer => ({ ringTimeout, to }, leave) => {
  const reaction = reactionTo(to)
  const ringMillis = Duration.toMillis(ringTimeout)
  const result = resultOf(reaction, ringMillis)
  const rings = reaction._tag === "Refused" ? 0 : Math.min(reaction.afterSeconds * 1000, ringMillis)
  return Effect.zipRight(
    BusinessTime.sleep(rings),
    Effect.as(result._tag === "Taken" ? leave : Effect.void, result)
  )
}
