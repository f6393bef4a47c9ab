import { assert, describe, it } from "@effect/vitest"
import { deepgram, type ServerReply, vosk } from "@trunkline/transcriber-websocket"
import { deepgramResults, deepgramServer, voskServer } from "@trunkline/transcriber-websocket/testing"
import { Effect, Fiber, Redacted, Stream } from "effect"
import { opened, until } from "./Opened.js"
import { say } from "./Say.js"

const words = (
  text: string,
  rest: Partial<Omit<Extract<ServerReply, { _tag: "Words" }>, "_tag" | "text">> = {}
): ServerReply => ({ _tag: "Words", text, isFinal: false, until: null, isFlushed: false, ...rest })

describe("Deepgram's dialect", () => {
  it("reads the messages of the server", () => {
    const { read } = deepgram()
    assert.deepStrictEqual(read(deepgramResults("yes", { start: 1, duration: 2 })), words("yes", { until: 3 }))
    assert.deepStrictEqual(
      read(deepgramResults("", { start: 0, duration: 1, is_final: true, from_finalize: true })),
      words("", { until: 1, isFinal: true, isFlushed: true })
    )
    for (const type of ["Metadata", "SpeechStarted", "UtteranceEnd"]) {
      assert.deepStrictEqual(read(JSON.stringify({ type })), { _tag: "Notice" })
    }
    assert.deepStrictEqual(read(`{"type":"Error","description":"no"}`), { _tag: "Failed" })
    for (const text of ["", "7", `{"type":"Results","is_final":1}`, `{"type":"__proto__"}`]) assert.isNull(read(text))
  })

  it("names languages, and lets parameters replace its own", () => {
    const request = { url: new URL("wss://host/v1/listen?tag=1"), rate: 8_000, apiKey: null } as const
    const query = (language: "hi-IN" | "od-IN" | null, dialect = deepgram()) =>
      dialect.open({ ...request, language }).url.searchParams
    assert.deepStrictEqual(
      (["hi-IN", "od-IN", null] as const).map((language) => query(language).get("language")),
      ["hi", "or", "multi"]
    )
    const changed = query("hi-IN", deepgram({ model: "nova-2", parameters: { punctuate: "false", keyterm: "Asha" } }))
    assert.deepInclude(Object.fromEntries(changed), { tag: "1", model: "nova-2", punctuate: "false", keyterm: "Asha" })
    assert.deepStrictEqual(deepgram().open({ ...request, language: null }).headers, {})
  })
})

describe("Vosk's dialect", () => {
  it("reads the messages of the server", () => {
    const { read } = vosk()
    assert.deepStrictEqual(read(`{"partial":"good"}`), words("good"))
    assert.deepStrictEqual(read(`{"result":[],"text":"good morning"}`), words("good morning", { isFinal: true }))
    assert.deepStrictEqual(
      read(`{"alternatives":[{"text":"good"},{"text":"could"}]}`),
      words("good", { isFinal: true })
    )
    for (const text of ["", "[]", `{"text":1}`, `{"alternatives":[]}`]) assert.isNull(read(text))
  })

  it("sends a key as a bearer token", () => {
    const url = new URL("wss://host/")
    const { headers } = vosk().open({ url, rate: 8_000, language: null, apiKey: Redacted.make("k") })
    assert.deepStrictEqual(headers, { authorization: "Bearer k" })
  })
})

describe("partial words", () => {
  const protocols = [["deepgram", deepgramServer({ interims: true }), deepgram()], [
    "vosk",
    voskServer({ partials: true }),
    vosk()
  ]] as const
  for (const [name, protocol, dialect] of protocols) {
    it.scoped(`grow while the caller speaks, and stay with the turn: ${name}`, () =>
      Effect.gen(function*() {
        const { flush, partials, push } = yield* opened(protocol, { dialect })
        const partialTexts: Array<string> = []
        yield* Effect.forkScoped(Stream.runForEach(partials, (words) => Effect.sync(() => partialTexts.push(words))))
        yield* Effect.yieldNow()
        push((yield* say("Good morning.", 8_000)).samples)
        push(new Float32Array(16_000))
        yield* until(() => partialTexts.includes("Good morning."))
        const words = yield* Effect.fork(flush)
        assert.strictEqual(yield* Fiber.join(words), "Good morning.")
        assert.strictEqual(yield* flush, "")
      }))
  }
})
