import { BusinessTime } from "@trunkline/kernel"
import { languageNameOf } from "@trunkline/spoken-text"
import { Deferred, Duration, Effect, Option, Ref } from "effect"
import { type EndedBy, type Heard, type Leg, LegEnded } from "../call/Leg.js"
import type { ReferRequest, ReferResult } from "../call/Transfer.js"
import type { CalleeBehavior } from "./Callee.js"

/** Speaking speed. An utterance takes at least half a second. */
const charactersPerSecond = 15

/** Time that it takes to speak a text. */
const speakingTime = (text: string): Duration.Duration =>
  Duration.millis(Math.max(500, Math.round([...text].length / charactersPerSecond * 1000)))

/** Time that two simulated people talk once they are connected with each other, in milliseconds. */
const joinedMillis = 30_000

/** Share of the agent's utterance after which a callee interrupts. */
const interruptAt = 0.4

/** The leg of a connected simulated call. */
export interface SimulatedLeg {
  readonly leg: Leg
  /** Completes when the call has ended, also without any operation on the leg. */
  readonly ended: Effect.Effect<EndedBy>
  /** The side that ended the call; none while it is in progress. */
  readonly endedBy: Effect.Effect<Option.Option<EndedBy>>
  /** Keys that the agent has sent. */
  readonly keys: Effect.Effect<string>
  /** Ends the call from outside, as when the network fails. */
  readonly drop: (by: EndedBy) => Effect.Effect<void>
}

/** Options of a simulated leg. */
interface SimulatedLegOptions {
  /** Moment of the answer, in epoch milliseconds of business time; default: now. */
  readonly since?: number
  /** Connects the call with an address, and runs the effect once that has answered. Absent: the network cannot. */
  readonly refer?: ((request: ReferRequest, leave: Effect.Effect<void>) => Effect.Effect<ReferResult>) | undefined
}

/** Connects a callee. */
export const makeSimulatedLeg = (
  person: CalleeBehavior,
  { refer, since }: SimulatedLegOptions = {}
): Effect.Effect<SimulatedLeg> =>
  Effect.gen(function*() {
    const over = yield* Deferred.make<EndedBy>()
    const turnIndex = yield* Ref.make(0)
    const keys = yield* Ref.make("")
    const language = yield* Ref.make("English")
    const connectedAt = since ?? (yield* BusinessTime.now)
    const deadline = person.hangsUpAfterSeconds === null ? Infinity : connectedAt + person.hangsUpAfterSeconds * 1000

    const hungUp = Effect.zipRight(BusinessTime.sleepUntil(deadline), Effect.succeed<EndedBy>("user"))
    const ended = deadline === Infinity ? Deferred.await(over) : Effect.raceFirst(Deferred.await(over), hungUp)
    const endedBy = Effect.flatMap(
      BusinessTime.now,
      (now) =>
        Effect.zipRight(
          now < deadline ? Effect.void : Deferred.succeed<EndedBy, never>(over, "user"),
          Deferred.poll(over)
        )
    ).pipe(Effect.flatMap(Effect.transposeOption))
    const drop = (by: EndedBy) => Effect.asVoid(Deferred.succeed(over, by))
    const failEnded = Effect.flatMap(Deferred.await(over), (by) => Effect.fail(new LegEnded({ by })))
    const failIfOver = Effect.flatMap(Deferred.poll(over), (end) => end._tag === "Some" ? failEnded : Effect.void)

    /** Waits unless the call ends first; the callee's deadline ends the call. */
    const elapse = (milliseconds: number): Effect.Effect<void, LegEnded> =>
      Effect.gen(function*() {
        yield* failIfOver
        const until = (yield* BusinessTime.now) + milliseconds
        const wait = until < deadline
          ? BusinessTime.sleepUntil(until)
          : Effect.zipRight(BusinessTime.sleepUntil(deadline), drop("user"))
        yield* Effect.raceFirst(wait, Deferred.await(over))
        yield* failIfOver
      })

    const peek = Effect.flatMap(
      Effect.all([Ref.get(turnIndex), Ref.get(language)]),
      ([index, spokenText]) => Effect.sync(() => person.turn(index, spokenText))
    )

    const leg: Leg = {
      say: (utterance) =>
        Effect.gen(function*() {
          yield* failIfOver
          yield* Ref.set(language, utterance.language_name)
          const turn = yield* peek
          const length = Duration.toMillis(speakingTime(utterance.text))
          const startedAt = yield* BusinessTime.now
          const interrupts = turn?.interrupt === true && utterance.interruptible
          yield* Effect.ignore(elapse(interrupts ? length * interruptAt : length))
          const share = ((yield* BusinessTime.now) - startedAt) / length
          const over = Option.getOrUndefined(yield* endedBy)
          return share < 1
            ? {
              heard: beginning(utterance.text, share),
              interrupted: true,
              ...(over !== undefined && { endedBy: over })
            }
            : { heard: utterance.text, interrupted: false }
        }),
      listen: (silence) =>
        Effect.gen(function*() {
          const turn = yield* peek
          const timeout = Duration.toMillis(silence)
          const delay = (turn?.interrupt === true ? 0 : turn?.after_seconds ?? 1) * 1000
          if (turn === null || delay >= timeout) {
            yield* elapse(timeout)
            return { _tag: "Silent" } satisfies Heard
          }
          yield* elapse(delay)
          yield* Ref.update(turnIndex, (index) => index + 1)
          if (turn.press !== undefined) return { _tag: "Pressed", digit: turn.press } satisfies Heard
          if (turn.say !== undefined) {
            yield* elapse(Duration.toMillis(speakingTime(turn.say)))
            const spokenText = yield* Ref.get(language)
            if (turn.hang_up === true) yield* Effect.forkDaemon(Effect.zipRight(Effect.yieldNow(), drop("user")))
            return {
              _tag: "Said",
              text: turn.say,
              en_text: turn.en ?? null,
              language_name: languageNameOf(turn.language ?? spokenText) ?? spokenText
            } satisfies Heard
          }
          if (turn.hang_up === true) {
            yield* drop("user")
            return yield* failEnded
          }
          return { _tag: "Silent" } satisfies Heard
        }),
      ended,
      press: (digits) => Ref.update(keys, (before) => before + digits.replaceAll(/[^0-9*#A-D]/g, "")),
      ...(refer !== undefined && { refer: (request) => refer(request, drop("agent")) }),
      join: (other) =>
        Effect.raceFirst(
          Effect.raceFirst(ended, other.ended ?? Effect.never),
          BusinessTime.sleep(joinedMillis)
        ).pipe(Effect.zipRight(drop("user"))),
      hangUp: drop("agent")
    }
    return { leg, ended, endedBy, keys: Ref.get(keys), drop }
  })

/** The first part of a text, cut at a word boundary. */
const beginning = (text: string, share: number): string => {
  const cut = text.slice(0, Math.floor(text.length * share))
  const lastSpace = cut.lastIndexOf(" ")
  return (lastSpace > 0 ? cut.slice(0, lastSpace) : cut).trim()
}
