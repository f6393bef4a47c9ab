import { assert, describe, it } from "@effect/vitest"
import { OpenAiModel } from "@trunkline/model-openai"
import type { LanguageModel } from "@trunkline/models"
import { Effect, Exit, Fiber, Scope, Stream } from "effect"
import { modelBefore } from "./fixtures/Asking.js"
import { type Script, tcp } from "./fixtures/FakeUpstream.js"
import { closesWhenInterrupted, until } from "./fixtures/Leaving.js"
import { chunk, event, events, hello, json, whole, words } from "./fixtures/Wire.js"

type Model = LanguageModel["Type"]

const read = (model: Model) => Stream.runDrain(model.stream(hello))

const windows: Readonly<
  Record<string, { readonly script: Script; readonly answer: (model: Model) => Effect.Effect<unknown, unknown> }>
> = {
  "waiting for a whole answer": { script: ["hang"], answer: (model) => model.generate(hello) },
  "in the middle of a whole answer": {
    script: [{ status: 200, headers: { "content-type": "application/json" } }, { write: "{\"choices\":" }, "hang"],
    answer: (model) => model.generate(hello)
  },
  "waiting for the headers of a stream": { script: ["hang"], answer: read },
  "waiting for the first token": { script: [{ write: ": ping\n\n" }, "hang"], answer: read },
  "between two tokens": { script: [{ write: event(words("Hi")) }, "hang"], answer: read },
  "waiting for the usage": { script: [{ write: events(words("Hi"), chunk({}, "stop")) }, "hang"], answer: read },
  "in the middle of a failure": { script: [{ status: 500 }, { write: "{" }, "hang"], answer: read }
}

describe("an interruption", () => {
  for (const [name, { answer, script }] of Object.entries(windows)) {
    it.scopedLive(`breaks the connection at once: ${name}`, () =>
      Effect.gen(function*() {
        const { model, upstream } = yield* modelBefore(script)
        yield* closesWhenInterrupted(upstream, answer(model))
        upstream.answer(json(whole({ content: "Hi" })))
        assert.strictEqual((yield* model.generate(hello)).text, "Hi", "others are not harmed")
      }))
  }

  it.scopedLive("closes the connection of a stream with a slow reader", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([
        ...Array.from({ length: 40 }, () => ({
          write: events(...Array.from({ length: 200 }, () => words("x".repeat(900))))
        })),
        "hang"
      ])
      yield* closesWhenInterrupted(upstream, Stream.runForEach(model.stream(hello), () => Effect.never))
    }))

  it.scopedLive("during the connection sends nothing, and closes it", () =>
    Effect.gen(function*() {
      let closed = 0
      let opened = 0
      // Takes connections, and never says a word of TLS.
      const port = yield* tcp((socket) => {
        opened++
        socket.on("close", () => closed++).resume()
      })
      const model = yield* OpenAiModel.make({ baseUrl: `https://127.0.0.1:${port}` })
      for (const answer of [model.generate(hello), read(model)]) {
        const before = opened
        const fiber = yield* Effect.fork(answer)
        yield* until(() => opened > before)
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
        yield* until(() => closed > before)
      }
    }))

  it.scopedLive("during the wait for a connection sends nothing", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(["hang"], { connections: 1 })
      const first = yield* Effect.fork(model.generate(hello))
      yield* until(() => upstream.requests.length === 1)
      const second = yield* Effect.fork(model.generate(hello))
      yield* Effect.sleep(20)
      yield* Fiber.interrupt(second)
      upstream.answer(json(whole({ content: "Hi" })))
      yield* Fiber.interrupt(first)
      assert.strictEqual((yield* model.generate(hello)).text, "Hi")
      assert.lengthOf(upstream.requests, 2)
    }))
})

describe("the end of a scope", () => {
  it.scopedLive("closes the connection of a stream that was not read to its end", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([{ write: events(words("a"), words("b")) }, "hang"])
      yield* Stream.runDrain(Stream.take(model.stream(hello), 1))
      yield* Effect.promise(async () => upstream.requests.at(-1)?.closed)
    }))

  it.scopedLive("of the model aborts connections that are being opened", () =>
    Effect.gen(function*() {
      let opened = 0
      let closed = 0
      const port = yield* tcp((socket) => {
        opened++
        socket.on("close", () => closed++).resume()
      })
      const scope = yield* Scope.make()
      const model = yield* Scope.extend(OpenAiModel.make({ baseUrl: `https://127.0.0.1:${port}` }), scope)
      const fiber = yield* Effect.fork(Effect.flip(model.generate(hello)))
      yield* until(() => opened === 1)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "ModelUnavailable")
      yield* until(() => closed === 1)
    }))

  it.scopedLive("of the model closes its connections, also those in use", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { upstream } = yield* modelBefore(["hang"])
      const model = yield* Scope.extend(OpenAiModel.make({ baseUrl: upstream.baseUrl }), scope)
      const fiber = yield* Effect.fork(Effect.flip(model.generate(hello)))
      yield* until(() => upstream.requests.length === 1)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "ModelUnavailable")
      yield* until(() => upstream.open() === 0)
      assert.strictEqual((yield* Effect.flip(model.generate(hello)))._tag, "ModelUnavailable")
    }))
})
