import { assert, describe, it } from "@effect/vitest"
import { Listener, modemVoice, Synthesizer } from "@trunkline/speech"
import { deepgramServer, speechServer, voskServer } from "@trunkline/transcriber-websocket/testing"
import { Effect, Stream } from "effect"
import { createServer, type Server } from "node:http"
import {
  createTrunkline,
  streamingTranscriber,
  type StreamingTranscriberOptions,
  type TranscriberOption,
  transcriberServer
} from "trunkline"
import type {} from "trunkline/effect"

const words = "Yes, please."

/** An engine with a transcriber, and the words that it hears from a caller. */
const heardBy = (transcriber: TranscriberOption) =>
  Effect.gen(function*() {
    const trunkline = yield* Effect.acquireRelease(
      Effect.promise(() => createTrunkline({ data: ":memory:", transcriber })),
      ({ close }) => Effect.promise(close)
    )
    const { ability: { nativeRate: rate }, speak } = yield* Effect.provide(Synthesizer, modemVoice())
    const utterance = { text: words, language: "en-IN", pace: 1, reference: null, take: 0 } as const
    const hear = Effect.gen(function*() {
      const { flush, push } = yield* (yield* Listener).open({ rate, language: "en-IN" })
      yield* Stream.runForEach(speak(utterance), (samples) => Effect.sync(() => push(samples)))
      return yield* flush
    })
    return yield* Effect.provide(Effect.scoped(hear), trunkline.effect.runtime)
  })

/** The origin of a server that answers every request with a JSON text, until the scope closes. */
const answering = (body: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<Server>((resume) => {
        const server = createServer((_, response) => response.setHeader("content-type", "application/json").end(body))
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => void server.close().closeAllConnections())
    ),
    (server) => {
      const address = server.address()
      return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`
    }
  )

describe("the transcriber of the options hears callers", () => {
  const protocols = { deepgram: deepgramServer, vosk: voskServer }
  for (const dialect of ["deepgram", "vosk"] as const) {
    it.scopedLive(`live: ${dialect}, with its key`, () =>
      Effect.gen(function*() {
        const { peers, url } = yield* speechServer(protocols[dialect]())
        const options: StreamingTranscriberOptions = { dialect, url, apiKey: "secret" }
        assert.strictEqual(yield* heardBy(streamingTranscriber(options)), words)
        const schemes = { deepgram: "Token", vosk: "Bearer" }
        assert.strictEqual(peers[0]?.request.headers.authorization, `${schemes[dialect]} secret`)
      }))
  }

  it.scopedLive("live, at the rate and with the model that the options name", () =>
    Effect.gen(function*() {
      const { peers, url } = yield* speechServer(deepgramServer())
      const transcriber = streamingTranscriber({ dialect: "deepgram", url, model: "nova-2", rate: 16_000 })
      assert.strictEqual(yield* heardBy(transcriber), words)
      const query = new URL(peers[0]?.request.url ?? "", url).searchParams
      assert.deepStrictEqual([query.get("model"), query.get("sample_rate")], ["nova-2", "16000"])
    }))

  it.scopedLive("turn by turn: a server of transcripts", () =>
    Effect.gen(function*() {
      const origin = yield* answering(JSON.stringify({ text: words }))
      assert.strictEqual(yield* heardBy(transcriberServer({ baseUrl: origin })), words)
    }))

  it.scopedLive("turn by turn: an object with a method", () =>
    Effect.gen(function*() {
      const transcriber = { transcribe: async () => words }
      assert.strictEqual(yield* heardBy(transcriber), words)
    }))
})
