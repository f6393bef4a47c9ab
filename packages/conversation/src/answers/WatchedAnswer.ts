import { type AnsweredBy, type AnswerVerdict, BusinessTime } from "@trunkline/kernel"
import { type Leg, LegEnded, readGreeting, verdictWords } from "@trunkline/telephony"
import { Deferred, Effect } from "effect"

/** A verdict that ends the conversation, since it is not held with a person. */
export interface AnswerWatch {
  /** The leg of the conversation: it ends for the conversation alone once a verdict took it over. */
  readonly leg: Leg
  /** Latest verdict. */
  readonly verdict: () => AnswerVerdict
  /** True once the conversation was ended for the verdict. */
  readonly isTaken: () => boolean
}

/** Time after the answer in which the words of a leg without sound tell that a recording speaks, in milliseconds. */
const revisableMillis = 20_000

/** Verdict by words on who answered, where they leave no doubt. */
const sureOf = (words: string): AnsweredBy | null => {
  const meaning = readGreeting(words)
  return meaning === "machine" || meaning === "screening" || meaning === "ivr" ? meaning : null
}

/**
 * Watches a conversation with a person, or with whoever was taken for one: a later verdict that `ends` accepts ends it. The
 * fiber that waits for such a verdict lives as long as the scope of `use`.
 */
export const watchAnswer = <A, E>(
  { answeredAt, ends, leg, verdict: first }: {
    readonly leg: Leg
    readonly verdict: AnswerVerdict
    readonly answeredAt: number
    readonly ends: (verdict: AnswerVerdict) => boolean
  },
  use: (watch: AnswerWatch) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.gen(function*() {
    const takeover = yield* Deferred.make<void>()
    let latest = first
    let isTaken = false

    const revise = (verdict: AnswerVerdict): Effect.Effect<void> =>
      Effect.suspend(() => {
        latest = verdict
        if (!ends(verdict)) return Effect.void
        isTaken = true
        return Effect.asVoid(Deferred.succeed(takeover, undefined))
      })

    const over = Effect.flatMap(Deferred.await(takeover), () => new LegEnded({ by: "agent" }))
    const unlessTaken = <B>(operation: Effect.Effect<B, LegEnded>): Effect.Effect<B, LegEnded> =>
      Effect.suspend(() => isTaken ? over : operation)

    /** Reads words of a leg that senses nothing itself. */
    const read = (words: string) =>
      Effect.flatMap(BusinessTime.now, (now) => {
        const answered_by = now - answeredAt > revisableMillis ? null : sureOf(words)
        return answered_by === null
          ? Effect.void
          : revise({ answered_by, evidence: "words", decided_ms: now - answeredAt, words: verdictWords(words) })
      })

    const watchedLeg: Leg = {
      ...leg,
      say: (utterance) => {
        let heardText = ""
        const onHeard = (text: string): void => {
          heardText = text
          utterance.onHeard?.(text)
        }
        return unlessTaken(Effect.raceFirst(
          leg.say({ ...utterance, onHeard }),
          Effect.map(
            Deferred.await(takeover),
            () => ({ heard: heardText, interrupted: true, endedBy: "agent" as const })
          )
        ))
      },
      listen: (silence) =>
        unlessTaken(Effect.raceFirst(leg.listen(silence), over)).pipe(
          Effect.tap((input) => leg.answer === undefined && input._tag === "Said" ? read(input.text) : Effect.void),
          Effect.flatMap((input) => isTaken ? over : Effect.succeed(input))
        ),
      ended: Effect.raceFirst(leg.ended ?? Effect.never, Effect.as(Deferred.await(takeover), "agent" as const)),
      hangUp: Effect.suspend(() => isTaken ? Effect.void : leg.hangUp)
    }
    const watch = { leg: watchedLeg, verdict: () => latest, isTaken: () => isTaken }
    const sense = leg.answer
    if (sense === undefined) return yield* use(watch)
    return yield* Effect.scoped(
      Effect.zipRight(
        Effect.forkScoped(Effect.forever(
          Effect.flatMap(Effect.suspend(() => sense.revision(latest)), revise)
        )),
        use(watch)
      )
    )
  })
