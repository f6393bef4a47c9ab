import { assert, describe, it } from "@effect/vitest"
import { type Failure, makeClient } from "@trunkline/client/effect"
import { Chunk, Effect, Exit, Fiber, Stream } from "effect"
import { withBoth } from "./Program.js"
import { eventStream, json } from "./Served.js"

const options = { baseUrl: "https://voice.example.com", apiKey: "sk_test_a_b", maxRetries: 0 }

/** A client whose server gives one answer. */
const answering = (answer: () => Response) => makeClient({ ...options, fetch: async () => answer() })

describe("the client in effects", () => {
  it("fails with a tag for each kind of failure", async () => {
    const tags: ReadonlyArray<readonly [status: number, tag: Failure["_tag"]]> = [
      [400, "Invalid"],
      [401, "NotAllowed"],
      [402, "LimitReached"],
      [403, "NotAllowed"],
      [404, "NotFound"],
      [422, "Invalid"],
      [429, "LimitReached"],
      [503, "Unavailable"],
      [504, "Unavailable"]
    ]
    for (const [status, tag] of tags) {
      const { _tag, ...failure } = await Effect.runPromise(
        Effect.flip(answering(json(status, { error: { message: "no", code: "c" } })).lines.list())
      )
      assert.deepInclude({ _tag, ...failure }, { _tag: tag, status, code: "c" })
    }
    const { _tag } = await Effect.runPromise(
      Effect.flip(makeClient({ ...options, fetch: async () => Promise.reject(new Error("reset")) }).lines.list())
    )
    assert.strictEqual(_tag, "NoAnswer")
  })

  it("dies of a mistake in the options of a method", async () => {
    const exit = await Effect.runPromiseExit(answering(json(200, {})).lines.list({ workspace: "main" }))
    assert.isTrue(Exit.isFailure(exit) && exit.cause._tag === "Die")
  })

  it("aborts a request, and a stream that nothing comes from, by interruption", async () => {
    const aborted: Array<string> = []
    const never = (name: string, { signal }: RequestInit) =>
      new Promise<never>((_, reject) =>
        signal?.addEventListener("abort", () => {
          aborted.push(name)
          reject(signal.reason)
        })
      )
    const asking = makeClient({ ...options, fetch: (_, request) => never("request", request) })
    const silent = makeClient({
      ...options,
      fetch: async (_, request) => {
        const body = new ReadableStream({ pull: () => never("stream", request) })
        return new Response(body, { headers: { "content-type": "text/event-stream" } })
      }
    })
    for (const work of [asking.lines.list(), Stream.runDrain(silent.live())]) {
      const fiber = Effect.runFork(work)
      await new Promise((resolve) => setImmediate(resolve))
      await Effect.runPromise(Fiber.interrupt(fiber))
    }
    assert.deepStrictEqual(aborted, ["request", "stream"])
  })

  it("streams events, and reports a failure between them", async () => {
    const error = { message: "The model failed", code: "model_failed" }
    const { chat } = answering(eventStream(`data: {"n":1}\n\n`, `data: ${JSON.stringify({ error })}\n\n`))
    const values: Array<unknown> = []
    const body = { model: "core-105b", messages: [{ role: "user", content: "Hello" }] } as const
    const events = Stream.runForEach(chat.create.stream(body), (event) => Effect.sync(() => values.push(event)))
    assert.strictEqual((await Effect.runPromise(Effect.flip(events))).code, "model_failed")
    assert.deepStrictEqual(values, [{ n: 1 }])
  })

  it("reads pages, chats and bytes of a server", () =>
    withBoth(async ({ engine, url }) => {
      const { key } = await engine.keys.create({ features: ["beta"] })
      const { blockedNumbers, calls, chat } = makeClient({ baseUrl: url, apiKey: key })
      await Effect.runPromise(Effect.gen(function*() {
        yield* blockedNumbers.add({ phone_numbers: ["+919876543210", "+919876543211", "+919876543212"] })
        assert.strictEqual((yield* blockedNumbers.list({ limit: 2 })).items.length, 2)
        const items = yield* Stream.runCollect(blockedNumbers.list({ limit: 2 }).items)
        assert.strictEqual(Chunk.size(items), 3)
        const body = { model: "core-105b", messages: [{ role: "user", content: "Hello" }] } as const
        const whole = yield* chat.create(body)
        const chunks = yield* Stream.runCollect(chat.create.stream(body))
        const text = Chunk.join(Chunk.map(chunks, ({ choices }) => choices[0]?.delta.content ?? ""), "")
        assert.strictEqual(text, whole.choices[0]?.message.content)
        const started = yield* calls.create({ agent: "reminder", version: 1, to: "+919876543219" })
        assert.strictEqual((yield* started.ended).attempt_id, started.attempt_id)
      }))
    }))
})
