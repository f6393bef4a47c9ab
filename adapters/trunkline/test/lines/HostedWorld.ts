import {
  type DoubleDialect,
  type DoubleOptions,
  type MediaDouble,
  startMediaDouble
} from "@trunkline/carrier-media-websocket/testing"
import { freePort } from "@trunkline/carrier-sip/testing"
import { modemTranscriber, modemVoice, soundOf, Transcriber } from "@trunkline/speech"
import { Effect } from "effect"
import { createTrunkline, type Model, type Trunkline, type TrunklineOptions } from "trunkline"

export const number = "+911140000001"

/** A double of a provider, and the options of a line to it. */
export interface HostedProvider {
  readonly double: DoubleDialect
  readonly options: Readonly<Record<string, unknown>>
  readonly environment: Readonly<Record<string, string>>
}

/** The sound of words, as modems speak. */
export const spoken = (words: string, rate = 8_000): Promise<Float32Array> =>
  Effect.runPromise(Effect.provide(soundOf(words, { rate }), modemVoice()))

/** The words in sound that a modem has spoken. */
export const heardIn = (rate: number, samples: Float32Array): Promise<string> =>
  Effect.runPromise(Effect.provide(
    Effect.flatMap(Transcriber, ({ transcribe }) => transcribe({ rate, samples }, { language: null })),
    modemTranscriber
  ))

/** Turns that the caller takes. */
const turns = 5

/** An agent that answers each of five turns, and then says goodbye. */
const model: Model = {
  generate: async ({ messages }) => {
    const said = messages.filter(({ role }) => role === "user").length
    return said < turns
      ? { text: `Reply ${said}.` }
      : { text: "Goodbye.", toolRequests: [{ id: "1", name: "end_call", arguments: "{}" }] }
  }
}

/** An engine whose line is that of a provider's double, served on this machine, until the scope closes. */
export const hostedEngine = (
  provider: HostedProvider,
  doubleOptions: DoubleOptions = {},
  options: Partial<TrunklineOptions> = {}
) =>
  Effect.gen(function*() {
    const port = yield* freePort()
    const double = yield* Effect.acquireRelease(
      Effect.promise(() => startMediaDouble(provider.double, doubleOptions)),
      (started) => Effect.promise(started.close)
    )
    Object.assign(process.env, provider.environment)
    const trunkline = yield* Effect.acquireRelease(
      Effect.promise(() =>
        createTrunkline({
          data: ":memory:",
          agents: [{ app_id: "desk", first_message: "Hello." }],
          model,
          lines: [{
            connection_id: "line",
            provider: provider.double.provider,
            phone_numbers: [number],
            options: { public_url: `http://127.0.0.1:${port}/voice`, api_url: double.url, ...provider.options }
          }],
          voices: [{
            rate: 8_000,
            async *speak({ text }) {
              yield await spoken(text)
            }
          }],
          transcriber: { transcribe: ({ rate, samples }) => heardIn(rate, samples) },
          allowInsecureUrls: true,
          allowPrivateUrls: true,
          ...options
        })
      ),
      (trunkline: Trunkline) => Effect.promise(() => trunkline.close())
    )
    yield* Effect.promise(() => trunkline.listen({ port, prefix: "/voice" }))
    double.configure(`http://127.0.0.1:${port}/voice/v1/connections/line`)
    return { double, trunkline, url: `http://127.0.0.1:${port}/voice` }
  })

/** True for sound that is more than the noise of a line. */
export const isLoud = (samples: Float32Array): boolean => samples.some((sample) => Math.abs(sample) > 0.01)

/** Takes the turns of a caller: each after the agent has spoken and was silent for 600 ms. */
export const takeTurns = (double: MediaDouble, index = 0) =>
  Effect.gen(function*() {
    const words = yield* Effect.promise(() =>
      Promise.all(Array.from({ length: turns }, (_, turn) => spoken(`word ${turn + 1}`, double.rate)))
    )
    let from = 0
    let heardCount = 0
    while (double.isRelay && heardCount < turns) {
      yield* Effect.sleep("50 millis")
      const relay = double.calls[index]?.relay
      if (relay == null || relay.utterances.length <= heardCount) continue
      heardCount += 1
      relay.say([`word ${heardCount}`])
    }
    for (const sound of double.isRelay ? [] : words) {
      for (let spoke = false;;) {
        yield* Effect.sleep("100 millis")
        const person = double.calls[index]?.person
        if (person == null) continue
        const { rate } = double
        const heard = person.recording()
        spoke ||= isLoud(heard.subarray(from))
        if (!spoke || isLoud(heard.subarray(Math.max(0, heard.length - rate * 0.6)))) continue
        from = heard.length
        person.say(sound)
        break
      }
    }
  })
