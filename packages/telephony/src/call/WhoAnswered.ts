import type { AnsweredBy } from "@trunkline/kernel"
import { Context, Effect, Option, Stream } from "effect"
import type { AudioLine } from "./AudioLine.js"
import type { Leg } from "./Leg.js"

/**
 * Port that tells who has answered a call of ours, such as the call to the target of a transfer. By default it is the verdict of
 * the carrier, so far, and otherwise what the leg's own sound and words tell, with what they tell later.
 */
export class WhoAnswered extends Context.Reference<WhoAnswered>()("@trunkline/telephony/WhoAnswered", {
  defaultValue: (): WhoAnswered.Service => ({
    of: (line, { answer }) =>
      Effect.suspend(() => {
        const toldText = line.answeredBy?.() ?? null
        if (toldText !== null || answer === undefined) return Effect.succeed(toldText)
        return Effect.map(answer.verdict, ({ answered_by }) => answered_by)
      }),
    later: (line, { answer }) =>
      answer === undefined || (line.answeredBy?.() ?? null) !== null
        ? Stream.empty
        : Stream.unwrap(Effect.map(answer.verdict, (first) =>
          Stream.unfoldEffect(first, (verdict) =>
            Effect.map(answer.revision(verdict), (next) =>
              Option.some([next.answered_by, next] as const)))))
  })
}) {}

export declare namespace WhoAnswered {
  /** Service of the reference. */
  export interface Service {
    /**
     * Party that has answered; null where nobody can tell. `leg` is the same call with words, on which may be listened. It should
     * take no longer than seconds.
     */
    readonly of: (line: Leg | AudioLine, leg: Leg) => Effect.Effect<AnsweredBy | null>
    /** Parties that take the place of the one before, as more of the call is heard; absent where the first verdict is the last. */
    readonly later?: (line: Leg | AudioLine, leg: Leg) => Stream.Stream<AnsweredBy>
  }
}
