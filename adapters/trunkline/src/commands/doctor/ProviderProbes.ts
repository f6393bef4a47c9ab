import { ModelTimedOut } from "@trunkline/errors"
import { reasonOfCause } from "@trunkline/kernel"
import { conversationModel, LanguageModel } from "@trunkline/models"
import { Listener, type SpeechFailure, Synthesizer, Transcriber } from "@trunkline/speech"
import { RealtimeModel } from "@trunkline/turn-taking"
import { Cause, Clock, Effect, Either, type Layer, Option, Stream } from "effect"
import type { Finding } from "../../data/Doctor.js"

/** A part that is called once. */
export type Probe =
  & {
    /** Name of the provider and of its model, for the operator. */
    readonly about: string
    /** Price by the provider's list, for the operator; absent where there is none. */
    readonly price?: string | undefined
  }
  & (
    | { readonly part: "voice"; readonly layer: Layer.Layer<Synthesizer, Error>; readonly language?: string }
    | { readonly part: "listener"; readonly layer: Layer.Layer<Listener, Error> }
    | { readonly part: "transcriber"; readonly layer: Layer.Layer<Transcriber, Error> }
    | { readonly part: "realtime"; readonly layer: Layer.Layer<never, Error> }
    | { readonly part: "model"; readonly layer: Layer.Layer<LanguageModel, Error> }
  )

/** Longest time of a call. */
const patience = "20 seconds"

/** Sample rate of telephone sound, and a second of a quiet tone at it, so that a service has something to do. */
const telephoneRate = 8_000
const tone = Float32Array.from(
  { length: telephoneRate },
  (_, at) => 0.02 * Math.sin(2 * Math.PI * 440 * at / telephoneRate)
)

/** Speaks two words, and tells when the first sound came. */
const speak = Effect.gen(function*() {
  const { ability, speak } = yield* Synthesizer
  const language = ability.languages.includes("en-IN") ? "en-IN" : ability.languages[0] ?? "en-IN"
  const begin = yield* Clock.currentTimeMillis
  let first: number | null = null
  let samples = 0
  yield* Stream.runForEach(
    speak({ text: "Hello there.", language, pace: 1, reference: null, take: 0 }),
    (piece) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        first ??= now - begin
        samples += piece.length
      })
  )
  return `${(samples / ability.nativeRate).toFixed(1)} s of sound, the first after ${Math.round(first ?? 0)} ms`
})

/** Listens to a second of sound. A service that stays silent about it is heard to be there, since it was connected. */
const listen = Effect.scoped(Effect.gen(function*() {
  const { open } = yield* Listener
  const begin = yield* Clock.currentTimeMillis
  const { flush, push } = yield* open({ rate: telephoneRate, language: null })
  const connectMillis = (yield* Clock.currentTimeMillis) - begin
  push(tone)
  const words = yield* Effect.either(flush)
  if (Either.isLeft(words) && words.left._tag !== "ModelTimedOut") return yield* Effect.fail(words.left)
  return `connected after ${Math.round(connectMillis)} ms`
}))

const transcribe = Effect.gen(function*() {
  const { transcribe } = yield* Transcriber
  const begin = yield* Clock.currentTimeMillis
  yield* transcribe({ rate: telephoneRate, samples: tone }, { language: "en-IN" })
  return `answered after ${Math.round((yield* Clock.currentTimeMillis) - begin)} ms`
})

const ask = Effect.gen(function*() {
  const { generate } = yield* LanguageModel
  const begin = yield* Clock.currentTimeMillis
  yield* generate({
    model: conversationModel,
    messages: [{ role: "user", content: "Say yes." }],
    limits: { maxOutputTokens: 16 }
  })
  return `answered after ${Math.round((yield* Clock.currentTimeMillis) - begin)} ms`
})

/** Begins a session. */
const converse = Effect.scoped(Effect.gen(function*() {
  const model = yield* RealtimeModel
  if (model === null) return "not set up"
  const begin = yield* Clock.currentTimeMillis
  yield* model.open({
    rate: telephoneRate,
    setup: { instructions: "", tools: [] },
    history: [],
    onEvent: () => {}
  })
  return `a session began after ${Math.round((yield* Clock.currentTimeMillis) - begin)} ms`
}))

const callOf = (probe: Probe): Effect.Effect<string, SpeechFailure | Error> => {
  switch (probe.part) {
    case "voice":
      return Effect.provide(speak, probe.layer)
    case "listener":
      return Effect.provide(listen, probe.layer)
    case "transcriber":
      return Effect.provide(transcribe, probe.layer)
    case "realtime":
      return Effect.provide(converse, probe.layer)
    case "model":
      return Effect.provide(ask, probe.layer)
  }
}

/** Next steps after failures whose messages do not say any. */
const steps: Readonly<Record<string, string>> = {
  BadRequest: "choose what the message asks for",
  ModelFailed: "check the options of the part, and ask again",
  ModelRateLimited: "wait, or raise the limit of the account",
  ModelTimedOut: "check the address and the network, and ask again",
  ModelUnavailable: "check the address and the network, and the status page of the provider"
}

/** Splits the reason of a failure into what is wrong and what to do. */
const adviceOf = (cause: Cause.Cause<SpeechFailure | Error>) => {
  const reason = reasonOfCause(cause)
  const failure = Option.getOrUndefined(Cause.failureOption(cause))
  const at = reason.search(/[:;] /)
  const isLasting = failure !== undefined && "lasting" in failure && failure.lasting === true
  if (at > 0 && isLasting) return { detail: reason.slice(0, at), advice: reason.slice(at + 2) }
  const tag = failure !== undefined && "_tag" in failure ? failure._tag : ""
  return { detail: reason.replace(/\.$/, ""), advice: steps[tag] ?? "check the options of the part" }
}

/** Calls a part once, and says what is wrong and what to do. Findings hold no key and nothing that the provider sent. */
export const probe = (part: Probe): Promise<Finding> => {
  const name = part.part === "listener" ? "transcriber" : part.part
  const price = part.price === undefined ? "" : `; ${part.price}`
  return Effect.runPromise(
    callOf(part).pipe(
      Effect.timeoutFail({
        duration: patience,
        onTimeout: () => new ModelTimedOut({ message: `It took more than ${patience}` })
      }),
      Effect.sandbox,
      Effect.match({
        onFailure: (cause) => {
          const { advice, detail } = adviceOf(cause)
          return { name, ok: false, detail: `${part.about}: ${detail}`, advice }
        },
        onSuccess: (detail) => ({ name, ok: true, detail: `${part.about}, ${detail}${price}`, advice: null })
      })
    )
  )
}
