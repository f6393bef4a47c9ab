import { assert, describe, it } from "@effect/vitest"
import { concatSamples, mulaw } from "@trunkline/audio"
import { modemVoice, soundOf } from "@trunkline/speech"
import { speechServer } from "@trunkline/transcriber-websocket/testing"
import type { RealtimeEvent, RealtimeOpening } from "@trunkline/turn-taking"
import { Effect, Redacted } from "effect"
import { type LiveOptions, ModelLive } from "../src/index.js"
import { liveDouble } from "../src/testing.js"

/** Opens a session with the double, and notes its events. */
const openWith = ({ opening = {}, ...options }: LiveOptions & { readonly opening?: Partial<RealtimeOpening> } = {}) =>
  Effect.gen(function*() {
    const double = liveDouble({
      react: (words) => words.includes("table") ? { say: "One moment.", delegates: true } : { say: "Hello there." }
    })
    const server = yield* speechServer(double.protocol)
    const model = yield* ModelLive.make({
      url: server.url,
      apiKey: Redacted.make("sk-secret"),
      allowInsecureUrls: true,
      allowPrivateUrls: true,
      provider: "openai",
      ...options
    })
    const events: Array<RealtimeEvent> = []
    const session = yield* model.open({
      rate: 8_000,
      setup: { instructions: "Be brief.", tools: [] },
      history: [],
      onEvent: (event) => void events.push(event),
      ...opening
    })
    return { double, events, server, session }
  })

const until = (isIt: () => boolean) => Effect.repeat(Effect.sleep("5 millis"), { until: isIt })

const has = (events: ReadonlyArray<RealtimeEvent>, tag: RealtimeEvent["_tag"]) => () =>
  events.some(({ _tag }) => _tag === tag)

const failureIn = (events: ReadonlyArray<RealtimeEvent>) =>
  events.flatMap((event) => event._tag === "Ended" ? [event.failure.message] : [])

describe("a session of GPT-Live", () => {
  it.scopedLive("begins with its sound, its voice, client delegation and the history", () =>
    Effect.gen(function*() {
      const { double, server } = yield* openWith({
        voice: "marin",
        opening: {
          history: [
            { role: "assistant", content: "Hello.", toolRequests: [] },
            { role: "user", content: "A table, please." },
            { role: "tool", toolRequestId: "call_1", name: "find_table", content: "7" }
          ]
        }
      })
      assert.deepStrictEqual(double.events, [[{
        type: "session.start",
        session: {
          model: "gpt-live-1.1",
          instructions: "Be brief.",
          audio: { format: { type: "audio/pcmu", rate: 8_000 }, output: { voice: "marin" } },
          delegation: { type: "client" },
          input: [
            { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello." }] },
            { type: "message", role: "user", content: [{ type: "input_text", text: "A table, please." }] }
          ]
        }
      }]])
      assert.strictEqual(server.peers[0]?.request.headers.authorization, "Bearer sk-secret")
      assert.deepStrictEqual(double.problems, [])
    }))

  it.scopedLive("delegates, and counts the seconds of the session once", () =>
    Effect.gen(function*() {
      const { double, events, server, session } = yield* openWith()
      const sound = yield* Effect.orDie(Effect.provide(soundOf("A table.", { rate: 8_000 }), modemVoice()))
      const all = concatSamples([sound, new Float32Array(8_000)])
      for (let at = 0; at < all.length; at += 160) session.push(all.subarray(at, at + 160))
      yield* until(has(events, "Delegated"))
      const [id] = events.flatMap((event) => event._tag === "Delegated" ? [event.id] : [])
      session.send({ _tag: "Comment", delegation: id ?? null, text: "Seven is free." })
      yield* until(() => events.some((event) => event._tag === "Text" && event.text.includes("Seven")))
      server.peers[0]?.send(JSON.stringify({ type: "session.closed", reason: "expired", usage: { seconds: 100 } }))
      yield* until(has(events, "Ended"))
      const used = events.flatMap((event) => event._tag === "Used" ? event.usage : [])
      assert.strictEqual(used.reduce((sum, { quantity }) => sum + quantity, 0), 100)
      assert.deepInclude(used[0], { service: "model", provider: "openai", model: "gpt-live-1.1", unit: "second" })
      assert.deepStrictEqual(failureIn(events), ["A session of the realtime model reached its longest time"])
      assert.deepStrictEqual(double.problems, [])
    }))

  it.scopedLive("appends long texts in parts, of which no word is lost", () =>
    Effect.gen(function*() {
      const { double, session } = yield* openWith()
      const instructions = Array.from({ length: 400 }, (_, index) => `शब्द${index}`).join(" ")
      session.send({ _tag: "Configure", setup: { instructions, tools: [] } })
      const parts = () => (double.events[0] ?? []).filter(({ type }) => type === "session.instructions.append")
      yield* until(() => parts().map(({ content }) => content).join(" ") === instructions)
      assert.isAbove(parts().length, 2)
      assert.deepStrictEqual(double.problems, [])
    }))

  it.scopedLive("sends the bytes of a mu-law line as they are", () =>
    Effect.gen(function*() {
      const { server, session } = yield* openWith()
      const codes = Uint8Array.from({ length: 256 }, (_, code) => code).filter((code) => code !== 0x7f)
      session.push(mulaw.decode(codes))
      const sent = () =>
        server.peers[0]?.messages.flatMap((message) =>
          typeof message === "string" && message.includes("input_audio.append") ? [JSON.parse(message).audio] : []
        ) ?? []
      yield* until(() => sent().length > 0)
      assert.deepStrictEqual([...Buffer.from(sent()[0], "base64")], [...codes])
    }))

  it.scopedLive("goes on after an error that it can live with, and ends with its key or its connection", () =>
    Effect.gen(function*() {
      const { events, server, session } = yield* openWith()
      const report = (code: string) => server.peers[0]?.send(JSON.stringify({ type: "error", error: { code } }))
      report("some_new_code")
      session.send({ _tag: "Comment", delegation: null, text: "Good day." })
      yield* until(has(events, "Sound"))
      report("credit_balance_exhausted")
      yield* until(has(events, "Ended"))
      assert.include(failureIn(events)[0], "used up")
      const other = yield* openWith()
      other.server.peers[0]?.cut()
      yield* until(has(other.events, "Ended"))
      assert.deepStrictEqual(failureIn(other.events), ["The connection to the realtime model broke off"])
    }))

  it.scopedLive("fails to open with what to do", () =>
    Effect.gen(function*() {
      const server = yield* speechServer((peer) => {
        peer.send(JSON.stringify({ type: "error", error: { code: "invalid_voice" } }))
        return () => {}
      })
      const model = yield* ModelLive.make({ url: server.url, allowInsecureUrls: true, allowPrivateUrls: true })
      const setup = { instructions: "", tools: [] }
      const failure = yield* Effect.flip(model.open({ rate: 8_000, setup, history: [], onEvent: () => {} }))
      assert.include(failure.message, "voice")
    }))
})
