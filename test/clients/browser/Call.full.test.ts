import { toLinear16, wavHeader } from "@trunkline/audio"
import { phraseBook, soundOf, Transcriber } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type CallEnded, createTrunkline, type SingleAgentOptions } from "trunkline"
import { assert, describe, it } from "vitest"
import { serveSite } from "../../../examples/browser-call/src/serve-site.js"
import { untilOnTime } from "../../setup/OnTime.js"
import { hasBrowser, startBrowser } from "./Browser.js"

const phrases = ["I want to book a table.", "Can you repeat that?", "Goodbye and thanks.", "What is my balance?"]

const desk: SingleAgentOptions = {
  app_id: "desk",
  variables: ["name"],
  script: [
    { id: "ask", say: "Hello {{name}}.", expect: [{ match: ["table"], go: "booked" }] },
    {
      id: "booked",
      say: "Your table is booked for tonight at eight, in the big room by the window. We look forward to seeing you, "
        + "and to everybody whom you bring along with you. The garden is open as well.",
      expect: [{ match: ["repeat"], go: "again" }]
    },
    { id: "again", say: "Tonight at eight.", expect: [{ match: ["goodbye"], go: "bye" }] },
    { id: "bye", say: "See you.", listen: false, otherwise: "goodbye" }
  ]
}

const rate = 48_000

/** Sound of a microphone in which phrases are said at some seconds. */
const microphone = (said: ReadonlyArray<readonly [second: number, phrase: string]>, seconds: number) =>
  Effect.gen(function*() {
    const samples = new Float32Array(seconds * rate)
    for (const [second, phrase] of said) samples.set(yield* soundOf(phrase, { rate }), second * rate)
    return Buffer.concat([wavHeader({ rate, samples: samples.length }), toLinear16(samples)])
  }).pipe(Effect.provide(SpeechEspeak.layer()))

/** The site with an agent of real parts, and a browser whose microphone plays a file once. */
const site = (said: ReadonlyArray<readonly [second: number, phrase: string]>) =>
  Effect.gen(function*() {
    const folder = mkdtempSync(join(tmpdir(), "trunkline-call-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
    const file = join(folder, "microphone.wav")
    writeFileSync(file, yield* microphone(said, 40))
    const { transcribe } = yield* Effect.provide(
      Transcriber,
      yield* Layer.build(Layer.provide(phraseBook(phrases), SpeechEspeak.layer()))
    )
    const calls: Array<CallEnded> = []
    const trunkline = yield* Effect.promise(() =>
      createTrunkline({
        data: ":memory:",
        logLevel: "error",
        agents: [desk],
        transcriber: { transcribe: (audio) => Effect.runPromise(transcribe(audio, { language: null })) },
        onCallEnded: (call) => void calls.push(call)
      })
    )
    const { close, url } = yield* Effect.promise(() => serveSite(trunkline, { agent: "desk" }))
    yield* Effect.addFinalizer(() => Effect.promise(close))
    const browser = yield* Effect.acquireRelease(
      Effect.promise(() =>
        startBrowser([
          "--use-fake-ui-for-media-stream",
          "--use-fake-device-for-media-stream",
          `--use-file-for-fake-audio-capture=${file}%noloop`
        ])
      ),
      (browser) => Effect.promise(() => browser.close())
    )
    const page = yield* Effect.promise(() => browser.newPage())
    const problems: Array<string> = []
    page.on("pageerror", (error) => problems.push(String(error)))
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()))
    yield* Effect.promise(() => page.goto(url))
    const shown = (role: string) => page.locator(`li.${role}`).allInnerTexts()
    return { calls, page, problems, shown }
  })

const whenEnded = (calls: ReadonlyArray<CallEnded>) =>
  Effect.repeat(Effect.sleep("100 millis"), { until: () => calls.length > 0 })

describe.skipIf(!hasBrowser)("a page that calls an agent (skipped without chromium)", () => {
  it("holds a conversation with a barge-in, whose words both sides see, until the agent hangs up", (context) =>
    Effect.runPromise(untilOnTime(
      context,
      Effect.gen(function*() {
        const { calls, page, problems, shown } = yield* site([
          [4, "I want to book a table."],
          [10, "Can you repeat that?"],
          [17, "Goodbye and thanks."]
        ])
        yield* Effect.promise(() => page.click("#call"))
        yield* Effect.promise(() => page.getByText("The call is over").waitFor({ timeout: 40_000 }))
        yield* whenEnded(calls)
        const [call] = calls
        if (call === undefined) return assert.fail("The call has no record")
        assert.deepStrictEqual(problems, [])
        assert.deepStrictEqual(yield* Effect.promise(() => shown("user")), phrases.slice(0, 3))
        const [hello = "", booked = "", again = "", bye = ""] = yield* Effect.promise(() => shown("agent"))
        assert.strictEqual(hello, "Hello Asha.")
        assert.match(booked, /^Your table is booked/)
        assert.notMatch(booked, /garden/)
        assert.strictEqual(again, "Tonight at eight.")
        assert.match(bye, /^See you\./)
        assert.strictEqual(call.kind, "inbound")
        assert.strictEqual(call.user_identifier, "customer-17")
        assert.deepStrictEqual(
          call.transcript?.map(({ en_text }) => en_text),
          [hello, phrases[0], booked, phrases[1], again, phrases[2], bye]
        )
      })
    )))

  it("is not heard while it is muted, presses no key by itself, and hangs up", (context) =>
    Effect.runPromise(untilOnTime(
      context,
      Effect.gen(function*() {
        const { calls, page, problems, shown } = yield* site([[4, "I want to book a table."]])
        yield* Effect.promise(() => page.click("#call"))
        yield* Effect.promise(() => page.locator("li.agent").waitFor())
        yield* Effect.promise(() => page.click("#mute"))
        yield* Effect.sleep("6 seconds")
        assert.deepStrictEqual(yield* Effect.promise(() => shown("user")), [])
        yield* Effect.promise(() => page.click("#hang-up"))
        yield* Effect.promise(() => page.getByText("the user hung up").waitFor())
        yield* whenEnded(calls)
        assert.strictEqual(calls[0]?.completion_status, "partial")
        assert.deepStrictEqual(problems, [])
      })
    )))
})
