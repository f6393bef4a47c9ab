import { assert, describe, it } from "@effect/vitest"
import { durationOf } from "@trunkline/audio"
import { InsufficientCredits, ModelFailed } from "@trunkline/errors"
import { macroTask } from "@trunkline/kernel"
import { Speech, type Utterance, Voices, VoiceStore } from "@trunkline/speech"
import { Cause, Deferred, Effect, Exit, Fiber, Option, Stream } from "effect"
import {
  generateAsked,
  nativeRate,
  savedVoice,
  speechOf,
  streamAsked,
  tone,
  unknownVoice,
  watchedMeter,
  wavOf
} from "./Parts.js"

const failed = new ModelFailed({ message: "The engine broke" })

/** Bytes of 16 bit samples as a duration. */
const lasting = (bytes: number, rate = nativeRate): number => bytes / 2 / rate

const sizeOf = <E>(bytes: Stream.Stream<Uint8Array, E>) =>
  Stream.runFold(bytes, 0, (size, piece) => size + piece.length)

const tagOf = (exit: Exit.Exit<unknown, { readonly _tag: string }>) =>
  Exit.isFailure(exit) ? Option.getOrNull(Cause.failureOption(exit.cause))?._tag : "none"

const long = "One sentence here, which is not short. Another sentence there, which is not short either. And a third."

describe("Speech", () => {
  it.scoped("speaks clause by clause, and charges the characters of the text", () =>
    Effect.gen(function*() {
      const heard: Array<string> = []
      const speak = ({ text }: Utterance) => {
        heard.push(text)
        return Stream.make(tone(0.5))
      }
      yield* Effect.gen(function*() {
        const { voice_id } = yield* savedVoice()
        const { log, meter } = yield* watchedMeter
        yield* Effect.scoped(Effect.gen(function*() {
          const { stream } = yield* Speech
          const size = yield* sizeOf(yield* stream("acme", streamAsked(voice_id, { text: long }), meter))
          assert.closeTo(lasting(size), 0.5 * heard.length, 0.001)
        }))
        assert.isAbove(heard.length, 1)
        assert.deepStrictEqual(yield* log, [`reserve ${long.length}`, `settle ${long.length}`])
      }).pipe(Effect.provide(speechOf({ speak })))
    }))

  it.effect("fails and charges nothing when the engine fails at once", () =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { log, meter } = yield* watchedMeter
      const { generate, stream } = yield* Speech
      assert.strictEqual(
        tagOf(yield* Effect.exit(Effect.scoped(stream("acme", streamAsked(voice_id), meter)))),
        "ModelFailed"
      )
      assert.strictEqual(tagOf(yield* Effect.exit(generate("acme", generateAsked(voice_id), meter))), "ModelFailed")
      assert.deepStrictEqual(yield* log, ["reserve 11", "release", "reserve 11", "release"])
    }).pipe(Effect.provide(speechOf({ speak: () => Stream.fail(failed) }))))

  it.effect("fails when the engine returns no audio", () =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { meter } = yield* watchedMeter
      const { stream } = yield* Speech
      assert.strictEqual(
        tagOf(yield* Effect.exit(Effect.scoped(stream("acme", streamAsked(voice_id), meter)))),
        "ModelFailed"
      )
    }).pipe(Effect.provide(speechOf({ speak: () => Stream.empty }))))

  it.effect("fails the stream and charges nothing when the engine fails later", () =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { log, meter } = yield* watchedMeter
      const { stream } = yield* Speech
      const broken = yield* Effect.exit(
        Effect.scoped(Effect.flatMap(stream("acme", streamAsked(voice_id), meter), sizeOf))
      )
      assert.strictEqual(tagOf(broken), "ModelFailed")
      assert.deepStrictEqual(yield* log, ["reserve 11", "release"])
    }).pipe(Effect.provide(speechOf({ speak: () => Stream.concat(Stream.make(tone(1)), Stream.fail(failed)) }))))

  it.effect("stops when the reader stops, and charges the clauses that were started", () =>
    Effect.gen(function*() {
      const stopped = yield* Deferred.make<void>()
      const speak = () => Stream.ensuring(Stream.repeatValue(tone(0.1)), Deferred.succeed(stopped, undefined))
      yield* Effect.gen(function*() {
        const { voice_id } = yield* savedVoice()
        const { log, meter } = yield* watchedMeter
        const { stream } = yield* Speech
        yield* Effect.scoped(
          Effect.flatMap(
            stream("acme", streamAsked(voice_id, { text: long }), meter),
            (sound) => Stream.runDrain(Stream.take(sound, 3))
          )
        )
        yield* Deferred.await(stopped)
        const [, settled = ""] = yield* log
        const characters = Number(/^settle (\d+)$/.exec(settled)?.[1])
        assert.isAbove(characters, 0)
        assert.isBelow(characters, long.length)
      }).pipe(Effect.provide(speechOf({ speak })))
    }))

  it.scopedLive("does not run ahead of a hundred stalled readers", () =>
    Effect.gen(function*() {
      let pieces = 0
      const speak = () =>
        Stream.repeatEffect(Effect.sync(() => {
          pieces += 1
          return tone(0.1)
        }))
      yield* Effect.gen(function*() {
        const { voice_id } = yield* savedVoice()
        const { meter } = yield* watchedMeter
        const { stream } = yield* Speech
        const open = stream("acme", streamAsked(voice_id), meter)
        yield* Effect.all(Array.from({ length: 100 }, () => open), { concurrency: "unbounded" })
        let before = -1
        for (let alike = 0; alike < 20; alike = pieces === before ? alike + 1 : 0) {
          before = pieces
          yield* macroTask
        }
        assert.isAtLeast(pieces, 100)
        assert.isAtMost(pieces, 1_000)
      }).pipe(Effect.provide(speechOf({ speak })))
    }))

  it.effect("releases the reservation of an interrupted speech", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const speak = () =>
        Stream.drain(Stream.fromEffect(Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)))
      yield* Effect.gen(function*() {
        const { voice_id } = yield* savedVoice()
        const { log, meter } = yield* watchedMeter
        const speaking = yield* Effect.fork((yield* Speech).generate("acme", generateAsked(voice_id), meter))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(speaking)
        assert.deepStrictEqual(yield* log, ["reserve 11", "release"])
      }).pipe(Effect.provide(speechOf({ speak })))
    }))

  it.effect("does no work when the reservation fails", () =>
    Effect.gen(function*() {
      let spoke = false
      const speak = () => {
        spoke = true
        return Stream.make(tone(1))
      }
      yield* Effect.gen(function*() {
        const { voice_id } = yield* savedVoice()
        const { meter } = yield* watchedMeter
        const broke = { ...meter, reserve: () => new InsufficientCredits({ message: "none" }) }
        const { generate, stream } = yield* Speech
        const exits = [
          yield* Effect.exit(generate("acme", generateAsked(voice_id), broke)),
          yield* Effect.exit(Effect.scoped(stream("acme", streamAsked(voice_id), broke)))
        ]
        assert.deepStrictEqual(exits.map(tagOf), ["InsufficientCredits", "InsufficientCredits"])
        assert.isFalse(spoke)
      }).pipe(Effect.provide(speechOf({ speak })))
    }))

  const speaksFor = (seconds: number) => ({ speak: () => Stream.make(tone(seconds)) })

  const secondsFor = (change: Parameters<typeof generateAsked>[1]) =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { meter } = yield* watchedMeter
      const { bytes, seconds } = yield* (yield* Speech).generate("acme", generateAsked(voice_id, change), meter)
      assert.closeTo(lasting(bytes.length, change?.format?.rate), seconds, 1e-9)
      return seconds
    })

  it.effect.each([0.5, 0.8, 1, 1.25, 2])("changes the duration at pace %d", (pace) =>
    Effect.gen(function*() {
      assert.closeTo(yield* secondsFor({ pace, trim: false }), 4 / pace, 4 / pace * 0.005)
    }).pipe(Effect.provide(speechOf(speaksFor(4)))))

  it.effect("leaves pace to an engine that controls it", () =>
    Effect.gen(function*() {
      const paces: Array<number> = []
      const speak = ({ pace }: Utterance) => {
        paces.push(pace)
        return Stream.make(tone(1))
      }
      const seconds = yield* Effect.provide(
        secondsFor({ pace: 2, trim: false }),
        speechOf({ controls: ["pace"], speak })
      )
      assert.deepStrictEqual([seconds, paces], [1, [2]])
    }))

  it.effect("keeps the duration bounds, and never shortens below the reference", () =>
    Effect.gen(function*() {
      const bounded = (least: number | null, most: number | null, referenceSeconds: number | null = null) =>
        secondsFor({ trim: false, bounds: { min: least, max: most }, referenceSeconds })
      assert.closeTo(yield* bounded(null, 3), 3, 0.001)
      assert.isAtMost(yield* bounded(null, 10 / 3), 10 / 3)
      assert.closeTo(yield* bounded(null, 1), 2, 0.001)
      assert.closeTo(yield* bounded(null, 1, 2.5), 2.5, 0.001)
      assert.closeTo(yield* bounded(null, 9), 4, 0.001)
      assert.strictEqual(yield* bounded(6.25, null), 6.25)
      assert.strictEqual(yield* bounded(3, 3), 3)
    }).pipe(Effect.provide(speechOf(speaksFor(4)))))

  it.effect("trims silence of a single clause unless trimming is off", () =>
    Effect.gen(function*() {
      assert.isBelow(yield* secondsFor({}), 1.3)
      assert.strictEqual(yield* secondsFor({ trim: false }), 3)
    }).pipe(Effect.provide(speechOf({
      speak: () => Stream.make(new Float32Array(nativeRate), tone(1), new Float32Array(nativeRate))
    }))))

  it.effect("speaks a second take after a misread one, and keeps the better", () =>
    Effect.gen(function*() {
      const takes: Array<number> = []
      const speak = ({ take }: Utterance) => {
        takes.push(take)
        return Stream.make(tone(take + 1))
      }
      const listen = (heard: ReadonlyArray<string>) => {
        const left = [...heard]
        return () => Effect.sync(() => left.shift() ?? "")
      }
      const withListener = (heard: ReadonlyArray<string>) =>
        Effect.provide(secondsFor({ check: true, trim: false }), speechOf({ speak }, {}, listen(heard)))
      assert.strictEqual(yield* withListener(["hello there"]), 1)
      assert.strictEqual(yield* withListener(["something else", "hello there"]), 2)
      assert.strictEqual(yield* withListener(["hello there is", "nothing at all of it"]), 1)
      assert.deepStrictEqual(takes, [0, 0, 1, 0])
    }))

  it.effect("is unavailable without a cloning engine unless pitch and rate matching is allowed", () =>
    Effect.gen(function*() {
      const tryWith = (cloning: "none" | "pitch-rate-match" | "zero-shot", allowPitchRateMatch: boolean) =>
        Effect.exit(secondsFor({})).pipe(
          Effect.provide(speechOf({ cloning, ...speaksFor(1) }, { allowPitchRateMatch })),
          Effect.map(tagOf)
        )
      assert.deepStrictEqual(
        yield* Effect.all([
          tryWith("none", true),
          tryWith("pitch-rate-match", false),
          tryWith("pitch-rate-match", true),
          tryWith("zero-shot", false)
        ]),
        ["ModelUnavailable", "ModelUnavailable", "none", "none"]
      )
    }))

  it.effect("rejects an unsupported language and a codec that is not installed", () =>
    Effect.gen(function*() {
      const refused = [
        yield* Effect.exit(secondsFor({ language: "hi-IN" })),
        yield* Effect.exit(secondsFor({ format: { codec: "mp3", rate: nativeRate } }))
      ]
      assert.deepStrictEqual(refused.map(tagOf), ["BadRequest", "BadRequest"])
    }).pipe(Effect.provide(speechOf({ languages: ["en-IN"], ...speaksFor(1) }))))

  it.effect("rejects a voice that the account does not have", () =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { meter } = yield* watchedMeter
      const { generate } = yield* Speech
      for (const [account, voice] of [["acme", unknownVoice], ["globex", voice_id]] as const) {
        assert.strictEqual(tagOf(yield* Effect.exit(generate(account, generateAsked(voice), meter))), "BadRequest")
      }
    }).pipe(Effect.provide(speechOf(speaksFor(1)))))

  it.effect("passes the voice's clip, text and length to the engine, and shares the decoded clip", () =>
    Effect.gen(function*() {
      const references: Array<Utterance["reference"]> = []
      const speak = ({ reference }: Utterance) => {
        references.push(reference)
        return Stream.make(tone(1))
      }
      yield* Effect.gen(function*() {
        const { voice_id } = yield* savedVoice(3)
        const { meter } = yield* watchedMeter
        const { generate } = yield* Speech
        yield* Effect.all([1, 2].map(() => generate("acme", generateAsked(voice_id), meter)), { concurrency: 2 })
        const [one, other] = references
        assert.deepInclude(one, { voice_id, text: "a clip", language: "hi-IN", seconds: 3 })
        assert.strictEqual(one && durationOf(one.audio), 3)
        assert.strictEqual(one?.audio, other?.audio)
      }).pipe(Effect.provide(speechOf({ speak })))
    }))

  it.effect("retries loading a clip after a failure", () =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const store = yield* VoiceStore
      let broken = true
      const clip: typeof store.clip = (...of) => broken ? Effect.die("The disk is busy") : store.clip(...of)
      yield* Effect.gen(function*() {
        const { meter } = yield* watchedMeter
        const { generate } = yield* Speech
        assert.isTrue(Exit.isFailure(yield* Effect.exit(generate("acme", generateAsked(voice_id), meter))))
        broken = false
        assert.isTrue(Exit.isSuccess(yield* Effect.exit(generate("acme", generateAsked(voice_id), meter))))
      }).pipe(Effect.provide(speechOf(speaksFor(1), {}, undefined, { ...store, clip })))
    }).pipe(Effect.provide(speechOf(speaksFor(1)))))

  it.effect("normalizes numbers unless normalization is off", () =>
    Effect.gen(function*() {
      const heard: Array<string> = []
      const speak = ({ text }: Utterance) => {
        heard.push(text)
        return Stream.make(tone(1))
      }
      yield* Effect.gen(function*() {
        yield* secondsFor({ text: "Call 12" })
        yield* secondsFor({ text: "Call 12", normalize: false })
        yield* secondsFor({ text: "Call 12", normalize: true })
      }).pipe(Effect.provide(speechOf({ speak })))
      assert.deepStrictEqual(heard, ["Call twelve", "Call 12", "Call twelve"])
      heard.length = 0
      yield* Effect.provide(secondsFor({ text: "Call 12" }), speechOf({ speak }, { normalize: false }))
      assert.deepStrictEqual(heard, ["Call 12"])
    }))

  it.effect("keeps 15 seconds of a longer clip, and rejects clips over a minute or under half a second", () =>
    Effect.gen(function*() {
      const voice = yield* savedVoice(20)
      assert.strictEqual(voice.reference_duration, 15)
      assert.strictEqual(tagOf(yield* Effect.exit(savedVoice(61))), "BadRequest")
      assert.strictEqual(tagOf(yield* Effect.exit(savedVoice(0.4))), "BadRequest")
      const { list } = yield* Voices
      const page = { offset: 0, limit: 10, sort_by: "name", sort_order: "asc", search: "" } as const
      assert.strictEqual((yield* list("acme", page)).total, 1)
    }).pipe(Effect.provide(speechOf(speaksFor(1)))))

  const withClip = (samples: Float32Array, text: string | null = null) =>
    Effect.gen(function*() {
      const { meter } = yield* watchedMeter
      const clip = { bytes: yield* wavOf(samples), filename: "clip.wav", contentType: null }
      const asked = generateAsked(unknownVoice, { source: { kind: "clip", clip, text } })
      return yield* (yield* Speech).generate("acme", asked, meter)
    })

  it.effect("accepts a clip of 15 seconds plus codec padding, and rejects one without speech", () =>
    Effect.gen(function*() {
      assert.strictEqual(tagOf(yield* Effect.exit(withClip(tone(15.04)))), "none")
      for (const clip of [tone(15.2), tone(0.4), new Float32Array(3 * nativeRate)]) {
        const refused = yield* Effect.flip(withClip(clip))
        assert.strictEqual(refused._tag, "BadRequest")
        assert.match(refused.message, /^ref_audio cannot be used\. [A-Z]/)
      }
    }).pipe(Effect.provide(speechOf(speaksFor(1)))))

  it.effect("transcribes clips without a transcript, for requests and saved voices, streamed or whole", () =>
    Effect.gen(function*() {
      const texts: Array<string | null> = []
      const speak = ({ reference }: Utterance) => {
        texts.push(reference.text)
        return Stream.make(tone(1))
      }
      yield* Effect.gen(function*() {
        yield* withClip(tone(2))
        yield* withClip(tone(2), "said so")
      }).pipe(Effect.provide(speechOf({ speak }, {}, () => Effect.succeed("written down"))))
      yield* Effect.provide(withClip(tone(2)), speechOf({ speak }))
      assert.deepStrictEqual(texts, ["written down", "said so", null])

      texts.length = 0
      const store = yield* Effect.provide(
        Effect.gen(function*() {
          yield* savedVoice(2, null)
          return yield* VoiceStore
        }),
        speechOf({ speak })
      )
      const page = { offset: 0, limit: 1, sort_by: "name", sort_order: "asc", search: "" } as const
      const { items: [voice] } = yield* store.list("acme", page)
      const voice_id = voice?.voice_id ?? unknownVoice
      yield* Effect.gen(function*() {
        const { meter } = yield* watchedMeter
        const { generate, stream } = yield* Speech
        yield* generate("acme", generateAsked(voice_id), meter)
        yield* Effect.scoped(Effect.flatMap(stream("acme", streamAsked(voice_id), meter), sizeOf))
      }).pipe(Effect.provide(speechOf({ speak }, {}, () => Effect.succeed("written down"), store)))
      assert.deepStrictEqual(texts, ["written down", "written down"])
    }))

  it.effect("charges nothing for a stream that dies", () =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { log, meter } = yield* watchedMeter
      const { stream } = yield* Speech
      yield* Effect.exit(Effect.scoped(Effect.flatMap(stream("acme", streamAsked(voice_id), meter), sizeOf)))
      assert.deepStrictEqual(yield* log, ["reserve 11", "release"])
    }).pipe(Effect.provide(speechOf({ speak: () => Stream.concat(Stream.make(tone(1)), Stream.die("a trap")) }))))

  it.effect("rejects more than five minutes in one piece, and streams them", () =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { log, meter } = yield* watchedMeter
      const { generate, stream } = yield* Speech
      const refused = yield* Effect.flip(generate("acme", generateAsked(voice_id, { trim: false }), meter))
      assert.deepInclude(refused, { _tag: "BadRequest", param: "text" })
      const size = yield* Effect.scoped(Effect.flatMap(stream("acme", streamAsked(voice_id), meter), sizeOf))
      assert.strictEqual(lasting(size), 301)
      assert.deepStrictEqual(yield* log, ["reserve 11", "release", "reserve 11", "settle 11"])
    }).pipe(Effect.provide(speechOf({
      speak: () => Stream.concat(Stream.make(tone(1)), Stream.take(Stream.repeatValue(tone(10)), 30))
    }))))
})
