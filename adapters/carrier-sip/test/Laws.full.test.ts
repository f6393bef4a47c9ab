import { it as effectIt } from "@effect/vitest"
import { BusinessTime, PhoneNumber } from "@trunkline/kernel"
import { type AudioLine, type Leg, LegEnded } from "@trunkline/telephony"
import { audioLineLaws, type CarrierHarness, carrierLaws, type DefineTest } from "@trunkline/telephony/testing"
import { Deferred, Duration, Effect, FiberId, ManagedRuntime } from "effect"
import { afterAll, it } from "vitest"
import { untilOnTime } from "../../../test/setup/OnTime.js"
import { layerSteppedMedia } from "./media/Sessions.js"
import { dialled, openPhone, type Reaction } from "./peers/Phone.js"
import { carrierOf, connectionTo, lineOf, ourNumber, planFor, shareMedia, until } from "./peers/World.js"

const media = shareMedia()

const number = (suffix: string) => PhoneNumber.make(`+9198765432${suffix}`)

const numbers = {
  answers: number("10"),
  busy: number("11"),
  noAnswer: number("12"),
  invalid: number("13"),
  refused: number("14")
}

/** Utterances that a leg of tests speaks, by a tone of this many milliseconds. */
const toneMillis = 100

/** A leg that speaks by a tone and hears nothing but the end of the call. */
const legOf = (line: AudioLine): Effect.Effect<Leg> =>
  Effect.sync(() => {
    const over = Deferred.unsafeMake<never, LegEnded>(FiberId.none)
    const marks = new Map<number, Deferred.Deferred<void>>()
    let mark = 0
    line.hear((event) => {
      if (event._tag === "Ended") Deferred.unsafeDone(over, Effect.fail(new LegEnded({ by: event.by })))
      const reached = event._tag === "Reached" ? marks.get(event.mark) : undefined
      if (reached !== undefined) Deferred.unsafeDone(reached, Effect.void)
    })
    const ended = Deferred.await(over)
    return {
      say: ({ text }) =>
        Effect.suspend(() => {
          const reached = Deferred.unsafeMake<void>(FiberId.none)
          marks.set(++mark, reached)
          line.play(new Float32Array(line.rate * toneMillis / 1000).fill(0.1), mark)
          return Effect.raceFirst(ended, Effect.as(Deferred.await(reached), { heard: text, interrupted: false }))
        }),
      listen: (silence) => Effect.raceFirst(ended, Effect.as(Effect.sleep(silence), { _tag: "Silent" as const })),
      hangUp: line.hangUp
    }
  })

const reactions: Readonly<Record<string, (...phone: Parameters<Parameters<typeof openPhone>[0]>) => Reaction>> = {
  [numbers.answers]: (phone) => (call) => Effect.zipRight(call.ring(), Effect.delay(phone.answer(call), "100 millis")),
  [numbers.busy]: () => (call) => call.reject(486),
  [numbers.noAnswer]: () => (call) => call.ring(),
  [numbers.invalid]: () => (call) => call.reject(404),
  [numbers.refused]: () => (call) => call.reject(403)
}

const harness = Effect.gen(function*() {
  const phone = yield* openPhone((self) => (call) => reactions[dialled(call)]?.(self)(call) ?? Effect.void)
  const connection = connectionTo(phone.port)
  const carrier = yield* carrierOf(connection)
  return {
    carrier,
    connection,
    from: ourNumber,
    numbers,
    legOf,
    countDials: (attempt) => Effect.sync(() => phone.invites.get(attempt) ?? 0),
    hangUp: (id) => Effect.suspend(() => phone.answered.get(id.replace(/^.*:/, ""))?.hangUp ?? Effect.void),
    loseNextResponse: Effect.sync(() => phone.mute(true)),
    wait: (time) => Effect.sleep(Duration.min(time, "1 second"))
  } satisfies CarrierHarness
}).pipe(Effect.provide(media))

/** Real calls take real time, so they are made side by side. */
const sideBySide: DefineTest = (name, effect) =>
  it.concurrent(`${name}`, (context) => Effect.runPromise(untilOnTime(context, effect())))

carrierLaws("SIP", harness, sideBySide)

const stepped = ManagedRuntime.make(layerSteppedMedia)
afterAll(() => stepped.dispose())

const call = Effect.gen(function*() {
  const phone = yield* openPhone((self) => (call) => self.answer(call))
  const connection = connectionTo(phone.port)
  const carrier = yield* carrierOf(connection)
  const plan = planFor(connection)
  const line = lineOf(yield* Effect.flatMap(carrier.place(plan), ({ answer }) => answer))
  yield* until(() => phone.answered.has(plan.attempt_id))
  const caller = phone.answered.get(plan.attempt_id)
  if (caller === undefined) return yield* Effect.dieMessage("The phone has not answered")
  yield* BusinessTime.sleep("400 millis")
  return { line, caller }
}).pipe(Effect.provide(stepped))

audioLineLaws(
  "a call over SIP",
  call,
  (name, effect) => effectIt.live(name, () => Effect.scoped(Effect.provide(effect(), stepped))),
  { tolerance: 100 }
)
