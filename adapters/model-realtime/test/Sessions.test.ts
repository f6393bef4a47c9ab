import { assert, describe, it } from "@effect/vitest"
import { concatSamples, mulaw } from "@trunkline/audio"
import type { ModelTool } from "@trunkline/models"
import { modemTranscriber, modemVoice, soundOf, Transcriber } from "@trunkline/speech"
import { speechServer } from "@trunkline/transcriber-websocket/testing"
import type { RealtimeEvent, RealtimeOpening, RealtimeSession } from "@trunkline/turn-taking"
import { Effect, Redacted } from "effect"
import { ModelRealtime, type RealtimeOptions } from "../src/index.js"
import { realtimeDouble, type RealtimeDoubleOptions } from "../src/testing.js"

const tools: ReadonlyArray<ModelTool> = [{ name: "find_table", description: "Finds a table." }]

const answer: RealtimeDoubleOptions["answer"] = (last) =>
  last.startsWith("result")
    ? { text: "Table seven is free." }
    : last.includes("table")
    ? { text: "One moment.", tool: { name: "find_table", arguments: { people: 2 } } }
    : { text: "Hello there." }

/** Opens a session with the double, and notes its events. */
const openWith = (
  { double: doubled = {}, opening = {}, ...options }: RealtimeOptions & {
    readonly double?: Partial<RealtimeDoubleOptions>
    readonly opening?: Partial<RealtimeOpening>
  } = {}
) =>
  Effect.gen(function*() {
    const double = realtimeDouble({ answer, ...doubled })
    const server = yield* speechServer(double.protocol)
    const model = yield* ModelRealtime.make({
      url: server.url,
      apiKey: Redacted.make("sk-secret"),
      allowInsecureUrls: true,
      allowPrivateUrls: true,
      ...options
    })
    const events: Array<RealtimeEvent> = []
    const rate = opening.rate ?? 8_000
    const session = yield* model.open({
      rate,
      setup: { instructions: "Be brief.", tools },
      history: [],
      onEvent: (event) => void events.push(event),
      ...opening
    })
    return { double, server, session, events, rate }
  })

/** Waits until an event has come. */
const until = (events: ReadonlyArray<RealtimeEvent>, isIt: (event: RealtimeEvent) => boolean) =>
  Effect.repeat(Effect.sleep("5 millis"), { until: () => events.some(isIt) })

const say = (session: RealtimeSession, text: string, rate: number) =>
  Effect.gen(function*() {
    const sound = yield* Effect.orDie(Effect.provide(soundOf(text, { rate }), modemVoice()))
    const frame = rate / 50
    const whole = concatSamples([sound, new Float32Array(rate)])
    for (let at = 0; at < whole.length; at += frame) session.push(whole.subarray(at, at + frame))
  })

const heardIn = (events: ReadonlyArray<RealtimeEvent>, rate: number) =>
  Effect.flatMap(Transcriber, ({ transcribe }) =>
    transcribe(
      { rate, samples: concatSamples(events.flatMap((event) => event._tag === "Sound" ? [event.samples] : [])) },
      { language: null }
    )).pipe(Effect.provide(modemTranscriber))

describe("a session over a socket", () => {
  for (const protocol of ["ga", "beta"] as const) {
    for (const rate of [8_000, 16_000]) {
      it.scopedLive(`hears and answers at ${rate} Hz, in the names of ${protocol}`, () =>
        Effect.gen(function*() {
          const { double, events, server, session } = yield* openWith({
            protocol,
            double: { protocol },
            opening: { rate }
          })
          yield* say(session, "Is a table free?", rate)
          yield* until(events, (event) => event._tag === "Words" && event.isFinal)
          session.send({ _tag: "Respond", reply: 1, words: null })
          yield* until(events, ({ _tag }) => _tag === "Responded")
          const [call] = events.flatMap((event) => event._tag === "ToolCall" ? [event.request] : [])
          assert.deepInclude(call, { name: "find_table", arguments: JSON.stringify({ people: 2 }) })
          session.send({
            _tag: "Add",
            messages: [{ role: "tool", toolRequestId: call?.id ?? "", name: "find_table", content: "7" }]
          })
          session.send({ _tag: "Respond", reply: 2, words: null })
          yield* until(events, (event) => event._tag === "Responded" && event.reply === 2)
          assert.deepStrictEqual(
            events.flatMap((event) => event._tag === "Words" && event.isFinal ? [event.text] : []),
            [
              "Is a table free?"
            ]
          )
          assert.deepStrictEqual(events.flatMap((event) => event._tag === "Text" ? [event.text] : []), [
            "One moment.",
            "Table seven is free."
          ])
          assert.strictEqual(yield* heardIn(events, rate), "One moment. Table seven is free.")
          assert.deepStrictEqual(double.problems, [])
          assert.deepStrictEqual(double.conversations, [[
            "Is a table free?",
            "One moment.",
            "call find_table",
            "result 7",
            "Table seven is free."
          ]])
          assert.strictEqual(server.peers[0]?.request.headers.authorization, "Bearer sk-secret")
          assert.strictEqual(
            server.peers[0]?.request.headers["openai-beta"],
            protocol === "beta" ? "realtime=v1" : undefined
          )
          assert.include(server.peers[0]?.request.url ?? "", "model=gpt-realtime-2.1")
        }))
    }
  }

  it.scopedLive("sends the bytes of a mu-law line as they are", () =>
    Effect.gen(function*() {
      const { server, session } = yield* openWith()
      const codes = Uint8Array.from({ length: 256 }, (_, code) => code).filter((code) => code !== 0x7f)
      session.push(mulaw.decode(codes))
      const sent = () =>
        server.peers[0]?.messages.flatMap((message) =>
          typeof message === "string" && message.includes("append") ? [JSON.parse(message).audio] : []
        ) ?? []
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => sent().length > 0 })
      assert.deepStrictEqual([...Buffer.from(sent()[0], "base64")], [...codes])
    }))

  it.scopedLive("counts the tokens of its answers and of what it writes down", () =>
    Effect.gen(function*() {
      const { events, session } = yield* openWith({ provider: "openai" })
      yield* say(session, "Hello", 8_000)
      yield* until(events, (event) => event._tag === "Words" && event.isFinal)
      session.send({ _tag: "Respond", reply: 1, words: null })
      yield* until(events, ({ _tag }) => _tag === "Responded")
      const used = events.flatMap((event) => event._tag === "Used" ? event.usage : []).filter(({ quantity }) =>
        quantity > 0
      )
      assert.deepStrictEqual(
        used.map(({ model, quantity, service, unit }) => `${service} ${model} ${unit} ${quantity}`),
        [
          "transcriber gpt-4o-mini-transcribe output_token 5",
          "transcriber gpt-4o-mini-transcribe audio_input_token 10",
          "model gpt-realtime-2.1 input_token 40",
          "model gpt-realtime-2.1 cached_input_token 30",
          "model gpt-realtime-2.1 output_token 10",
          "model gpt-realtime-2.1 audio_input_token 30",
          "model gpt-realtime-2.1 audio_output_token 40"
        ]
      )
    }))

  it.scopedLive("says words of ours, which are no part of the conversation", () =>
    Effect.gen(function*() {
      const { double, events, session } = yield* openWith()
      session.send({ _tag: "Respond", reply: 1, words: { text: "Good morning.", language_name: "English" } })
      yield* until(events, ({ _tag }) => _tag === "Responded")
      assert.strictEqual(yield* heardIn(events, 8_000), "Good morning.")
      assert.deepStrictEqual(double.conversations, [[]])
    }))

  it.scopedLive("cuts an answer to what was heard of it, and never beyond its sound", () =>
    Effect.gen(function*() {
      const { double, events, session } = yield* openWith()
      yield* say(session, "Hello", 8_000)
      yield* until(events, (event) => event._tag === "Words" && event.isFinal)
      session.send({ _tag: "Respond", reply: 1, words: null })
      yield* until(events, ({ _tag }) => _tag === "Responded")
      session.send({ _tag: "Truncate", reply: 1, heardMillis: 400 })
      session.send({ _tag: "Truncate", reply: 1, heardMillis: 1_000_000 })
      yield* Effect.repeat(Effect.sleep("5 millis"), {
        until: () => (double.events[0] ?? []).filter(({ type }) => type === "conversation.item.truncate").length === 2
      })
      const [first, second] = (double.events[0] ?? []).flatMap(({ audio_end_ms }) =>
        typeof audio_end_ms === "number" ? [audio_end_ms] : []
      )
      assert.strictEqual(first, 400)
      assert.isBelow(second ?? Infinity, 2_000)
      assert.deepStrictEqual(double.problems, [])
    }))

  it.scopedLive("begins with the history of the session before it", () =>
    Effect.gen(function*() {
      const { double, session } = yield* openWith({
        opening: {
          history: [
            { role: "assistant", content: "Hello.", toolRequests: [] },
            { role: "user", content: "A table, please." },
            { role: "assistant", content: null, toolRequests: [{ id: "call_1", name: "find_table", arguments: "{}" }] },
            { role: "tool", toolRequestId: "call_1", name: "find_table", content: "7" }
          ]
        }
      })
      session.send({ _tag: "Configure", setup: { instructions: "Be kind.", tools: [] } })
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => (double.events[0]?.length ?? 0) === 6 })
      assert.deepStrictEqual(double.conversations, [["Hello.", "A table, please.", "call find_table", "result 7"]])
      assert.deepStrictEqual(double.problems, [])
    }))
})
