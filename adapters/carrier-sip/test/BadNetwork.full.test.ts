import { assert, describe } from "@effect/vitest"
import { concatSamples } from "@trunkline/audio"
import { characterErrorRate, modemTranscriber, modemVoice, soundOf, Transcriber } from "@trunkline/speech"
import type { AudioLine } from "@trunkline/telephony"
import { Deferred, Effect, Either, FiberId, Layer } from "effect"
import { openPhone } from "./peers/Phone.js"
import { carrierOf, connectionTo, lineOf, liveTests, planFor, until } from "./peers/World.js"

const live = liveTests()

/** Hears a line: its sound until now, and its end. */
const listen = (line: AudioLine) => {
  const frames: Array<Float32Array> = []
  const ended = Deferred.unsafeMake<string>(FiberId.none)
  line.hear((event) => {
    if (event._tag === "Frame") frames.push(event.samples.slice())
    if (event._tag === "Ended") Deferred.unsafeDone(ended, Effect.succeed(event.by))
  })
  return { frames, ended: Deferred.await(ended) }
}

const errorsIn = (words: string, samples: Float32Array) =>
  Effect.gen(function*() {
    const { transcribe } = yield* Transcriber
    return yield* characterErrorRate(words, yield* transcribe({ rate: 8_000, samples }, { language: null }))
  })

describe("calls over a network that loses, delays, doubles and reorders packets", () => {
  live("complete in part, and all end on both sides", () =>
    Effect.gen(function*() {
      const phone = yield* openPhone(
        (self) => (call) => Effect.zipRight(call.ring(), self.answer(call)),
        {
          signalling: { seed: 7, loss: 0.3, doubling: 0.1, delay: [0, 80] },
          media: { seed: 11, loss: 0.1, doubling: 0.1, delay: [0, 60] }
        }
      )
      const connection = connectionTo(phone.port)
      const carrier = yield* carrierOf(connection)
      const call = Effect.gen(function*() {
        const placed = yield* carrier.place(planFor(connection))
        const line = lineOf(yield* placed.answer)
        const { ended, frames } = listen(line)
        yield* until(() => frames.length >= 25)
        yield* line.hangUp
        return yield* ended
      })
      const results = yield* Effect.all(Array.from({ length: 16 }, () => Effect.either(call)), {
        concurrency: "unbounded"
      })
      const completed = results.filter(Either.isRight)
      assert.isAbove(completed.length, 0)
      assert.isTrue(completed.every(({ right }) => right === "agent"))
      assert.deepStrictEqual(yield* carrier.live(connection), [])
      assert.isAtLeast(phone.answered.size, completed.length)
      // A phone whose answer came after the call was given up is hung up too.
      yield* Effect.forEach(phone.answered.values(), ({ ended }) => ended)
      assert.isAtLeast(Math.min(...phone.invites.values()), 1)
    }))

  live("are understood in both directions", () =>
    Effect.gen(function*() {
      const phone = yield* openPhone((self) => self.answer, {
        media: { seed: 3, loss: 0.01, doubling: 0.05, delay: [0, 40] }
      })
      const connection = connectionTo(phone.port)
      const carrier = yield* carrierOf(connection)
      const plan = planFor(connection)
      const line = lineOf(yield* Effect.flatMap(carrier.place(plan), ({ answer }) => answer))
      const { frames } = listen(line)
      const caller = phone.answered.get(plan.attempt_id)
      const question = "When are you open on Saturdays?"
      const answer = "We are open from ten to six."
      const [theirs, ours] = [yield* soundOf(question), yield* soundOf(answer)]
      caller?.say(theirs)
      line.play(ours)
      const lasting = Math.ceil((Math.max(theirs.length, ours.length) + 8_000) / 160)
      yield* until(() => frames.length > lasting && (caller?.recording().length ?? 0) > lasting * 160)
      const errorRates = [
        yield* errorsIn(question, concatSamples(frames)),
        yield* errorsIn(answer, caller?.recording() ?? new Float32Array())
      ]
      assert.isBelow(Math.max(...errorRates), 0.2, errorRates.join(" and "))
      yield* line.hangUp
    }).pipe(Effect.provide(Layer.merge(modemVoice(), modemTranscriber))))
})
