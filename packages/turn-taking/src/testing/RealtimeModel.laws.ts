import { assert, describe, it } from "@effect/vitest"
import { concatSamples, frameMillis } from "@trunkline/audio"
import type { Message, ModelTool } from "@trunkline/models"
import { Effect, Exit, Scope } from "effect"
import type { RealtimeEvent, RealtimeModel, RealtimeSession } from "../realtime/RealtimeModel.js"

/** Options of `realtimeModelLaws`. */
export interface RealtimeModelLawOptions {
  /**
   * Makes the model. It answers words with "table" by a call of the tool `find_table`, the result of that and all other words by a
   * sentence.
   */
  readonly model: Effect.Effect<RealtimeModel.Service, never, Scope.Scope>
  /** Speaks an English text at a sample rate, in a way that the model understands. */
  readonly say: (text: string, rate: number) => Effect.Effect<Float32Array>
}

const tools: ReadonlyArray<ModelTool> = [
  { name: "find_table", description: "Finds a table.", parameters: { type: "object", properties: {} } }
]

/** Tries for an event, 5 ms apart. */
const maxTries = 2_000

interface Opened {
  readonly session: RealtimeSession
  readonly events: Array<RealtimeEvent>
  readonly rate: number
}

/** Contract tests of a `RealtimeModel`. */
export const realtimeModelLaws = (name: string, { model, say }: RealtimeModelLawOptions) =>
  describe(`RealtimeModel laws: ${name}`, () => {
    const open = (history: ReadonlyArray<Message> = [], rate = 8_000): Effect.Effect<Opened, never, Scope.Scope> =>
      Effect.gen(function*() {
        const { open } = yield* model
        const events: Array<RealtimeEvent> = []
        const setup = { instructions: "Be brief.", tools }
        const onEvent = (event: RealtimeEvent) => void events.push(event)
        return { session: yield* Effect.orDie(open({ rate, setup, history, onEvent })), events, rate }
      })

    const until = ({ events }: Opened, isExpected: (event: RealtimeEvent) => boolean) =>
      Effect.repeat(Effect.sleep("5 millis"), { times: maxTries, until: () => events.some(isExpected) }).pipe(
        Effect.map(() => assert.isTrue(events.some(isExpected), "an event did not come"))
      )

    const hear = (connection: Opened, text: string) =>
      Effect.gen(function*() {
        const { rate, session } = connection
        const frame = rate * frameMillis / 1_000
        const sound = concatSamples([yield* say(text, rate), new Float32Array(rate)])
        const buffer = new Float32Array(frame)
        for (let at = 0; at + frame <= sound.length; at += frame) {
          buffer.set(sound.subarray(at, at + frame))
          session.push(buffer)
        }
        yield* until(connection, (event) => event._tag === "Words" && event.isFinal)
      })

    const respond = (connection: Opened, reply: number) => {
      connection.session.send({ _tag: "Respond", reply, words: null })
      return until(connection, (event) => event._tag === "Responded" && event.reply === reply)
    }

    for (const rate of [8_000, 16_000]) {
      it.scopedLive(`hears a turn and answers it, at ${rate} Hz`, () =>
        Effect.gen(function*() {
          const connection = yield* open([], rate)
          yield* hear(connection, "Good morning.")
          yield* respond(connection, 1)
          const tags = connection.events.map(({ _tag }) => _tag)
          assert.isBelow(tags.indexOf("VoiceBegan"), tags.indexOf("VoiceEnded"))
          const final = connection.events.flatMap((event) =>
            event._tag === "Words" && event.isFinal ? [event.text] : []
          )
          assert.deepStrictEqual(final, ["Good morning."])
          const samples = connection.events.flatMap((event) => event._tag === "Sound" ? [event.samples.length] : [])
          assert.isAbove(samples.reduce((sum, length) => sum + length, 0), rate / 2)
          assert.include(tags, "Text")
        }))
    }

    it.scopedLive("asks for a tool, and answers its result", () =>
      Effect.gen(function*() {
        const connection = yield* open()
        yield* hear(connection, "A table, please.")
        yield* respond(connection, 1)
        const [call] = connection.events.flatMap((event) => event._tag === "ToolCall" ? [event.request] : [])
        assert.strictEqual(call?.name, "find_table")
        assert.isObject(JSON.parse(call?.arguments ?? ""))
        const toolRequestId = call?.id ?? ""
        connection.session.send({
          _tag: "Add",
          messages: [{ role: "tool", toolRequestId, name: "find_table", content: "7" }]
        })
        yield* respond(connection, 2)
        assert.isTrue(connection.events.some((event) => event._tag === "Text" && event.reply === 2))
      }))

    it.scopedLive("says exact words", () =>
      Effect.gen(function*() {
        const connection = yield* open()
        connection.session.send({ _tag: "Respond", reply: 1, words: { text: "Good day.", language_name: "English" } })
        yield* until(connection, ({ _tag }) => _tag === "Responded")
        assert.deepStrictEqual(connection.events.flatMap((event) => event._tag === "Text" ? [event.text] : []), [
          "Good day."
        ])
      }))

    it.scopedLive("goes on after an answer that was cancelled and cut", () =>
      Effect.gen(function*() {
        const connection = yield* open()
        yield* hear(connection, "Good morning.")
        connection.session.send({ _tag: "Respond", reply: 1, words: null })
        connection.session.send({ _tag: "Cancel", reply: 1 })
        connection.session.send({ _tag: "Truncate", reply: 1, heardMillis: 0 })
        yield* respond(connection, 2)
        const parts = connection.events.filter((event) => event._tag === "Text" && event.reply === 2)
        assert.isNotEmpty(parts)
      }))

    it.scopedLive("answers after a history", () =>
      Effect.gen(function*() {
        const connection = yield* open([
          { role: "assistant", content: "Hello.", toolRequests: [] },
          { role: "user", content: "Good morning." }
        ])
        yield* respond(connection, 1)
        assert.isTrue(connection.events.some(({ _tag }) => _tag === "Text"))
      }))

    it.live("tells nothing once its scope is closed, and takes what comes", () =>
      Effect.gen(function*() {
        const scope = yield* Scope.make()
        const { events, session } = yield* Scope.extend(open(), scope)
        session.send({ _tag: "Respond", reply: 1, words: null })
        yield* Scope.close(scope, Exit.void)
        const before = events.length
        session.push(new Float32Array(160).fill(0.5))
        session.send({ _tag: "Respond", reply: 2, words: null })
        yield* Effect.sleep("50 millis")
        assert.deepStrictEqual(events.slice(before).filter(({ _tag }) => _tag !== "Ended"), [])
      }))
  })
