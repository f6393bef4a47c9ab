import { type AnswerAction, type AnswerVerdict, BusinessTime } from "@trunkline/kernel"
import {
  type EndedBy,
  type Heard,
  type Leg,
  type LegEnded,
  readGreeting,
  type TranscriptTurn
} from "@trunkline/telephony"
import { Duration, Effect } from "effect"

/** A text to say, with its language by its English name. */
export interface AnswerText {
  readonly text: string
  readonly language_name: string
}

/** Outcome of a call without a person. */
export interface AnswerEnd {
  readonly action: AnswerAction
  readonly ended_by: EndedBy
  readonly turns: ReadonlyArray<TranscriptTurn>
  /** True when a person came to the phone after a service had been told who calls. */
  readonly goesOn: boolean
}

/** Longest greeting of a machine; a message is not left after it. */
const maxGreeting = Duration.seconds(60)

/** Time in which later words may tell another service from a machine that is only supposed, before the call ends for it. */
const doubt = Duration.seconds(2)

/** Time that a screened call waits for its person after each announcement, whatever the service says meanwhile. */
const maxScreening = Duration.seconds(45)

/** Most times that a service is told who calls. */
const maxAnnouncements = 2

/** Words of a service that puts the call through, or of the network meanwhile. */
const waiting = /\b(hold|wait|moment|second|connect|thank|putting|transferr?)|रुकें|प्रतीक्षा|होल्ड|धन्यवाद/iu

const turnOf = (role: "agent" | "user", text: string, language_name: string, at: number): TranscriptTurn =>
  language_name === "English"
    ? { role, en_text: text, indic_text: null, language_name, at }
    : { role, en_text: text, indic_text: text, language_name, at }

/** The turns of what was heard, for the transcript. */
export const turnsOf = (
  inputs: ReadonlyArray<Heard>,
  language_name: string
): Effect.Effect<ReadonlyArray<TranscriptTurn>> =>
  Effect.map(BusinessTime.now, (now) =>
    inputs.flatMap((one) => {
      if (one._tag !== "Said" || one.text.trim() === "") return []
      const turn = turnOf("user", one.text, one.language_name ?? language_name, one.endedAt ?? now)
      return [one.en_text === null ? turn : { ...turn, en_text: one.en_text }]
    }))

/** The end of a call, or a better verdict that came before anything was done. */
type Acted = AnswerEnd | AnswerVerdict

const hungUp = (leg: Leg, turns: AnswerEnd["turns"] = []): Effect.Effect<AnswerEnd> =>
  Effect.as(leg.hangUp, { action: "hung_up", ended_by: "agent", turns, goesOn: false })

const endedFirst = ({ by }: LegEnded, turns: AnswerEnd["turns"] = []): AnswerEnd => ({
  action: "hung_up",
  ended_by: by,
  turns,
  goesOn: false
})

/** Hears the other side, and drops its words, until an effect completes. */
const until = <A>(leg: Leg, goal: Effect.Effect<A>): Effect.Effect<A, LegEnded> =>
  Effect.raceFirst(goal, Effect.forever(leg.listen(Duration.seconds(5))))

/** Ends a call at which nobody is; a verdict in doubt waits for a better one, which is returned in its place. */
export const endCall = (leg: Leg, verdict: AnswerVerdict): Effect.Effect<Acted> => {
  const sense = leg.answer
  if (sense === undefined || verdict.answered_by !== "machine" || verdict.evidence === "carrier") return hungUp(leg)
  return Effect.matchEffect(
    until(leg, Effect.raceFirst(sense.revision(verdict), Effect.as(BusinessTime.sleep(doubt), null))),
    {
      onFailure: (end) => Effect.succeed(endedFirst(end)),
      onSuccess: (revision): Effect.Effect<Acted> =>
        revision === null || revision.answered_by === "machine" ? hungUp(leg) : Effect.succeed(revision)
    }
  )
}

/** Says a text to the end; true when all of it was said. */
const sayAll = (leg: Leg, { language_name, text }: AnswerText) =>
  Effect.gen(function*() {
    const at = yield* BusinessTime.now
    const speech = yield* leg.say({ text, language_name, interruptible: false })
    const turns = speech.heard.trim() === "" ? [] : [turnOf("agent", speech.heard, language_name, at)]
    const isWhole = speech.failed !== true && speech.endedBy === undefined
    return { isWhole, turns, endedBy: speech.endedBy }
  })

/** Leaves a message after the tone, or after the end of the greeting, and hangs up. */
export const leaveMessage = (leg: Leg, verdict: AnswerVerdict, message: AnswerText): Effect.Effect<Acted> => {
  const sense = leg.answer
  const ready: Effect.Effect<"ready" | "never" | AnswerVerdict, LegEnded> = sense === undefined
    ? Effect.succeed("ready")
    : until(
      leg,
      Effect.raceFirst(
        Effect.raceFirst(Effect.as(sense.ready, "ready" as const), sense.revision(verdict)),
        Effect.as(BusinessTime.sleep(maxGreeting), "never" as const)
      )
    )
  return Effect.flatMap(ready, (moment): Effect.Effect<Acted, LegEnded> => {
    if (typeof moment !== "string") return Effect.succeed(moment)
    if (moment === "never") return hungUp(leg)
    return Effect.flatMap(sayAll(leg, message), ({ endedBy, isWhole, turns }) =>
      Effect.as(
        leg.hangUp,
        {
          action: isWhole ? "message_left" : "hung_up",
          ended_by: endedBy ?? "agent",
          turns,
          goesOn: false
        } satisfies AnswerEnd
      ))
  }).pipe(Effect.catchAll((end) => Effect.succeed(endedFirst(end))))
}

/** Tells a service who calls, and waits for its person; hangs up when nobody comes. */
export const announce = (leg: Leg, verdict: AnswerVerdict, text: AnswerText): Effect.Effect<Acted> =>
  Effect.gen(function*() {
    const startedAt = yield* BusinessTime.now
    let turns: ReadonlyArray<TranscriptTurn> = []
    let announcements = 0
    if (leg.answer !== undefined) yield* until(leg, leg.answer.ready)
    while (announcements < maxAnnouncements) {
      announcements += 1
      turns = [...turns, ...(yield* sayAll(leg, text)).turns]
      const deadline = (yield* BusinessTime.now) + Duration.toMillis(maxScreening)
      for (;;) {
        const left = deadline - (yield* BusinessTime.now)
        const input: Heard = left > 0 ? yield* leg.listen(Duration.millis(left)) : { _tag: "Silent" }
        if (input._tag === "Silent") return yield* hungUp(leg, turns)
        if (input._tag !== "Said") continue
        turns = [...turns, ...(yield* turnsOf([input], text.language_name))]
        const meaning = readGreeting(input.text)
        if (meaning === "screening") break
        if (meaning === "machine") {
          const decided_ms = verdict.decided_ms + (yield* BusinessTime.now) - startedAt
          return { answered_by: "machine", evidence: "words", decided_ms, words: input.text } satisfies AnswerVerdict
        }
        if (waiting.test(input.text)) continue
        return { action: "announced", ended_by: "agent", turns, goesOn: true } satisfies AnswerEnd
      }
    }
    return yield* hungUp(leg, turns)
  }).pipe(Effect.catchAll((end) => Effect.succeed(endedFirst(end))))
