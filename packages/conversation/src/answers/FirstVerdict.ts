import { type AnswerVerdict, BusinessTime } from "@trunkline/kernel"
import { type Heard, type Leg, readGreeting, verdictWords } from "@trunkline/telephony"
import { Duration, Effect } from "effect"

/** The first verdict, with the words that were taken from the leg for it. */
export interface Opening {
  readonly verdict: AnswerVerdict
  readonly heard: ReadonlyArray<Heard>
}

/** Time that a leg without sound has for its first words. */
const maxWait = Duration.seconds(4)

/** Silence after which the first turn of a person is over: none, since the turn itself ends after its pause. */
const rest = Duration.millis(20)

/** The verdict on the first words of a leg of words. */
const verdictOn = (input: Heard, decided_ms: number): AnswerVerdict => {
  if (input._tag !== "Said") {
    const isPressed = input._tag === "Pressed"
    return {
      answered_by: isPressed ? "person" : "silence",
      evidence: isPressed ? "tone" : "silence",
      decided_ms,
      words: null
    }
  }
  const meaning = readGreeting(input.text)
  const answered_by = meaning === "recording"
    ? "machine"
    : meaning === null || meaning === "office" || meaning === "opening"
    ? "person"
    : meaning
  return { answered_by, evidence: "words", decided_ms, words: verdictWords(input.text) }
}

const listenFirst = (leg: Leg, answeredAt: number): Effect.Effect<Opening | null> =>
  leg.listen(maxWait).pipe(
    Effect.flatMap((input) =>
      Effect.map(BusinessTime.now, (now): Opening => ({ verdict: verdictOn(input, now - answeredAt), heard: [input] }))
    ),
    Effect.catchAll(() => Effect.succeed(null))
  )

/** Words that a leg with sound has heard until a turn of the other side is over. */
const drain = (leg: Leg): Effect.Effect<ReadonlyArray<Heard>> =>
  Effect.matchEffect(leg.listen(rest), {
    onFailure: () => Effect.succeed([]),
    onSuccess: (input) =>
      input._tag === "Said" ? Effect.map(drain(leg), (more) => [input, ...more]) : Effect.succeed([input])
  })

/**
 * Waits for the first verdict on a call that was just answered; null when the call ended before. The first words of a person are
 * taken from the leg, since the agent's first words answer them.
 */
export const firstVerdict = (leg: Leg, answeredAt: number): Effect.Effect<Opening | null> => {
  const sense = leg.answer
  if (sense === undefined) return listenFirst(leg, answeredAt)
  return Effect.flatMap(
    Effect.raceFirst(sense.verdict, Effect.as(leg.ended ?? Effect.never, null)),
    (verdict) => {
      if (verdict === null) return Effect.succeed(null)
      if (verdict.answered_by !== "person") return Effect.succeed({ verdict, heard: [] })
      return Effect.raceFirst(
        Effect.map(drain(leg), (heard): Opening => ({ verdict, heard })),
        Effect.map(sense.revision(verdict), (revision): Opening => ({ verdict: revision, heard: [] }))
      )
    }
  )
}
