import { assert, describe, it } from "@effect/vitest"
import { concatSamples, frameMillis } from "@trunkline/audio"
import type { Message } from "@trunkline/models"
import { Effect, Exit, Scope } from "effect"
import type { RealtimeEvent, RealtimeModel, RealtimeSession } from "../realtime/RealtimeModel.js"

/** Options of `duplexModelLaws`. */
export interface DuplexModelLawOptions {
  /** Makes the model. It delegates words with "table", answers all other words by itself, and says what it is given. */
  readonly model: Effect.Effect<RealtimeModel.Service, never, Scope.Scope>
  /** Speaks an English text at a sample rate, in a way that the model understands. */
  readonly say: (text: string, rate: number) => Effect.Effect<Float32Array>
}

/** Tries for an event, 5 ms apart. */
const maxTries = 2_000

interface Opened {
  readonly session: RealtimeSession
  readonly events: Array<RealtimeEvent>
  readonly rate: number
}

const textIn = (events: ReadonlyArray<RealtimeEvent>, tag: "CallerText" | "Text"): string =>
  events.map((event) => event._tag === tag && "text" in event ? event.text : "").join("").trim()

/** Contract tests of a duplex `RealtimeModel`. */
export const duplexModelLaws = (name: string, { model, say }: DuplexModelLawOptions) =>
  describe(`Duplex RealtimeModel laws: ${name}`, () => {
    const open = (history: ReadonlyArray<Message> = [], rate = 8_000): Effect.Effect<Opened, never, Scope.Scope> =>
      Effect.gen(function*() {
        const { open, shape } = yield* model
        assert.strictEqual(shape, "duplex")
        const events: Array<RealtimeEvent> = []
        const setup = { instructions: "Be brief.", tools: [] }
        const onEvent = (event: RealtimeEvent) => void events.push(event)
        return { session: yield* Effect.orDie(open({ rate, setup, history, onEvent })), events, rate }
      })

    const until = ({ events }: Opened, isIt: (events: ReadonlyArray<RealtimeEvent>) => boolean) =>
      Effect.repeat(Effect.sleep("5 millis"), { times: maxTries, until: () => isIt(events) }).pipe(
        Effect.map(() => assert.isTrue(isIt(events), "an event did not come"))
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
      })

    for (const rate of [8_000, 16_000]) {
      it.scopedLive(`hears the caller and answers by itself, at ${rate} Hz`, () =>
        Effect.gen(function*() {
          const connection = yield* open([], rate)
          yield* hear(connection, "Good morning.")
          yield* until(connection, (events) =>
            textIn(events, "Text") !== "" && events.some(({ _tag }) => _tag === "Sound"))
          assert.strictEqual(textIn(connection.events, "CallerText"), "Good morning.")
          for (const event of connection.events) {
            if ("reply" in event) {
              assert.strictEqual(event.reply, 0)
            }
            if (event._tag === "CallerText") {
              assert.isAtLeast(event.agoMillis, 0)
            }
          }
        }))
    }

    it.scopedLive("delegates, and says what it is given", () =>
      Effect.gen(function*() {
        const connection = yield* open([{ role: "assistant", content: "Hello.", toolRequests: [] }])
        yield* hear(connection, "A table, please.")
        yield* until(connection, (events) => events.some(({ _tag }) => _tag === "Delegated"))
        const [delegated] = connection.events.flatMap((event) => event._tag === "Delegated" ? [event.id] : [])
        connection.session.send({ _tag: "Comment", delegation: delegated ?? null, text: "Table seven is free." })
        yield* until(connection, (events) => textIn(events, "Text").includes("Table seven is free."))
      }))

    it.scopedLive("says words of ours, and takes commands of the other shape without doing anything", () =>
      Effect.gen(function*() {
        const connection = yield* open()
        const { send } = connection.session
        send({ _tag: "Configure", setup: { instructions: "Be kind.", tools: [] } })
        send({ _tag: "Respond", reply: 1, words: null })
        send({ _tag: "Cancel", reply: 1 })
        send({ _tag: "Truncate", reply: 1, heardMillis: 0 })
        send({ _tag: "Comment", delegation: null, text: "Good day." })
        yield* until(connection, (events) => textIn(events, "Text") === "Good day.")
      }))

    it.live("tells nothing once its scope is closed, and takes what comes", () =>
      Effect.gen(function*() {
        const scope = yield* Scope.make()
        const { events, session } = yield* Scope.extend(open(), scope)
        session.send({ _tag: "Comment", delegation: null, text: "Good day." })
        yield* Scope.close(scope, Exit.void)
        const before = events.length
        session.push(new Float32Array(160).fill(0.5))
        session.send({ _tag: "Comment", delegation: null, text: "Good day." })
        yield* Effect.sleep("50 millis")
        assert.deepStrictEqual(events.slice(before).filter(({ _tag }) => _tag !== "Ended"), [])
      }))
  })
