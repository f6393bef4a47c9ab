import { assert, describe, it } from "@effect/vitest"
import type { LanguageModel } from "@trunkline/models"
import { Chunk, Effect, Stream } from "effect"
import { modelBefore, piecesOf, untilFailure } from "./fixtures/Asking.js"
import {
  chunk,
  event,
  events,
  finished,
  hello,
  json,
  streaming,
  texts,
  usage,
  usageChunk,
  whole,
  words
} from "./fixtures/Wire.js"

const ok = [chunk({ role: "assistant", content: "" }), words("Hel"), words("lo"), chunk({}, "stop")]

/** The pieces of an answer that ends before one that begins a little later and waits for what may follow its end. */
const piecesAtOnce = (model: LanguageModel["Type"]) =>
  Effect.gen(function*() {
    const waiting = yield* modelBefore([{ write: events(...ok) }, "hang"])
    const later = Effect.zipRight(piecesOf(waiting.model), Effect.dieMessage("It ended no sooner than one that waits"))
    return yield* Effect.raceFirst(piecesOf(model), later)
  })

describe("a stream", () => {
  it.scopedLive("passes tokens as they arrive, followed by usage and the finish reason", () =>
    Effect.gen(function*() {
      const { model } = yield* modelBefore(streaming(...ok, usageChunk()))
      assert.deepStrictEqual(yield* piecesOf(model), [
        ...texts("Hel", "lo"),
        { _tag: "Usage", usage },
        finished("stop")
      ])
    }))

  it.scopedLive("passes pieces that arrive together in one chunk, and single ones at once", () =>
    Effect.gen(function*() {
      const { model } = yield* modelBefore([
        { write: events(words("a"), words("b"), words("c")) },
        { pause: 60 },
        { write: event(words("d")) },
        { pause: 60 },
        { write: events(chunk({}, "stop"), usageChunk(), "[DONE]") },
        "end"
      ])
      const chunks = yield* Stream.runCollect(Stream.chunks(model.stream(hello)))
      assert.deepStrictEqual(Chunk.toReadonlyArray(Chunk.map(chunks, Chunk.size)), [3, 1, 2])
    }))

  it.scopedLive("reuses its connections", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(streaming(...ok, usageChunk()))
      for (let answer = 0; answer < 20; answer++) yield* piecesOf(model)
      assert.isAtMost(upstream.connections(), 2, "an answer may end a moment before its connection is free")
    }))

  it.scopedLive("does not wait for the connection to close after [DONE]", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([{ write: events(...ok, "[DONE]") }, "hang"])
      assert.deepStrictEqual((yield* piecesAtOnce(model)).at(-1), finished("stop"))
      yield* Effect.promise(async () => upstream.requests[0]?.closed)
    }))

  it.scopedLive("ends without [DONE] when the body does", () =>
    Effect.gen(function*() {
      const { model } = yield* modelBefore([{ write: events(...ok) }, "end"])
      assert.deepStrictEqual(yield* piecesOf(model), [...texts("Hel", "lo"), finished("stop")])
    }))

  it.scopedLive("ends when the connection breaks after the finish reason", () =>
    Effect.gen(function*() {
      const { model } = yield* modelBefore([{ write: events(...ok) }, { pause: 30 }, "cut"])
      assert.deepStrictEqual((yield* piecesOf(model)).at(-1), finished("stop"))
    }))

  it.scopedLive("waits a second for the usage when nothing follows the finish reason", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([{ write: events(...ok) }, "hang"])
      const startedAt = performance.now()
      assert.deepStrictEqual((yield* piecesOf(model)).at(-1), finished("stop"))
      assert.isAtLeast(performance.now() - startedAt, 950)
      yield* Effect.promise(async () => upstream.requests[0]?.closed)
    }))

  it.scopedLive("ends at once when the usage has come, [DONE] or not", () =>
    Effect.gen(function*() {
      const { model } = yield* modelBefore([{ write: events(...ok, usageChunk()) }, "hang"])
      const pieces = yield* piecesAtOnce(model)
      assert.deepStrictEqual(pieces.slice(-2), [{ _tag: "Usage", usage }, finished("stop")])
    }))

  it.scopedLive("applies backpressure", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([
        { write: event(words("first")) },
        ...Array.from({ length: 40 }, () => ({
          write: events(...Array.from({ length: 1_000 }, () => words("x".repeat(900))))
        })),
        { write: events(chunk({}, "stop"), "[DONE]") },
        "end"
      ])
      let unsent = 0
      let length = 0
      yield* Stream.runForEachChunk(model.stream(hello), (deltas) =>
        Effect.gen(function*() {
          if (length === 0) {
            yield* Effect.sleep(300)
            unsent = upstream.requests[0]?.unsent() ?? 0
          }
          for (const delta of deltas) length += delta._tag === "Text" ? delta.text.length : 0
        }))
      assert.isAbove(unsent, 20_000_000, "most of the 40 MB stayed where they were")
      assert.strictEqual(length, 5 + 40 * 1_000 * 900)
    }))
})

describe("an upstream with unusual streams", () => {
  it.scopedLive("may respond with a JSON document", () =>
    Effect.gen(function*() {
      const { model } = yield* modelBefore(
        json(whole({ role: "assistant", content: "Hello" }, "stop", { usage: usageChunk().usage }))
      )
      assert.deepStrictEqual(yield* piecesOf(model), [...texts("Hello"), { _tag: "Usage", usage }, finished("stop")])
    }))

  it.scopedLive("may stream although a document was requested", () =>
    Effect.gen(function*() {
      const { model } = yield* modelBefore(streaming(...ok, usageChunk()))
      const { finish, text, usage: tokenUsage } = yield* model.generate(hello)
      assert.deepStrictEqual([text, finish, tokenUsage], ["Hello", "stop", usage])
    }))

  it.scopedLive("may send no content type, or text/plain", () =>
    Effect.gen(function*() {
      for (const headers of [{}, { "content-type": "text/plain; charset=utf-8" }]) {
        const { model } = yield* modelBefore([{ status: 200, headers }, ...streaming(...ok)])
        assert.deepStrictEqual(yield* piecesOf(model), [...texts("Hel", "lo"), finished("stop")])
      }
    }))

  it.scopedLive("may send comments, event names, ids, and data of several lines", () =>
    Effect.gen(function*() {
      const { model } = yield* modelBefore([
        { write: ": ping\n\nevent: message\nid: 7\nretry: 10\n" },
        { write: `data: {"choices":[{"index":0,\ndata: "delta":{"content":"Hello"}}]}\n\n` },
        { write: ": ping\n\ndata:\n\n" },
        { write: events(chunk({}, "stop"), "[DONE]") },
        "end"
      ])
      assert.deepStrictEqual(yield* piecesOf(model), [...texts("Hello"), finished("stop")])
    }))

  it.scopedLive("may report usage with the end or repeatedly: the last one counts", () =>
    Effect.gen(function*() {
      const usageOf = (completion: number) => ({ usage: usageChunk(3, completion).usage })
      for (
        const frames of [
          [words("Hi"), chunk({}, "stop", usageOf(5))],
          [chunk({ content: "Hi" }, null, usageOf(1)), chunk({}, "stop", usageOf(4)), usageChunk(3, 5)],
          [chunk({ content: "Hi" }, "stop", usageOf(5)), chunk({}, null, { usage: null })]
        ]
      ) {
        const { model } = yield* modelBefore(streaming(...frames))
        assert.deepStrictEqual(yield* piecesOf(model), [...texts("Hi"), { _tag: "Usage", usage }, finished("stop")])
      }
    }))
})

const brokeOff = "The model's answer broke off. Try again."

describe("a faulty stream", () => {
  it.scopedLive("fails without a finish reason, after the earlier pieces", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([])
      for (const ending of [["end"], ["cut"], [{ write: event("[DONE]") }, "end"]] as const) {
        upstream.answer([{ write: events(words("Hel"), words("lo")) }, { pause: 20 }, ...ending])
        const { failure, pieces } = yield* untilFailure(model)
        assert.deepStrictEqual(pieces, texts("Hel", "lo"))
        assert.strictEqual(failure._tag, "ModelFailed")
        assert.strictEqual(failure.message, brokeOff)
      }
    }))

  it.scopedLive("fails if it ends inside an event or is empty", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([{ write: `data: {"choices":[{"ind` }, "end"])
      assert.strictEqual((yield* untilFailure(model)).failure.message, brokeOff)
      upstream.answer([{ status: 200, headers: { "content-type": "text/event-stream" } }, "end"])
      assert.strictEqual((yield* untilFailure(model)).failure.message, brokeOff)
    }))

  it.scopedLive("fails if the upstream reports an error", () =>
    Effect.gen(function*() {
      for (const reason of ["abort", "error"]) {
        const { model } = yield* modelBefore(streaming(words("Hi"), chunk({}, reason)))
        assert.strictEqual((yield* untilFailure(model)).failure.message, brokeOff)
      }
    }))

  it.scopedLive("fails at a malformed event", () =>
    Effect.gen(function*() {
      for (const malformed of ["{\"choices\":", "hello", "[1]", "null", "7"]) {
        const { model } = yield* modelBefore(streaming(words("Hi"), malformed, words("!"), chunk({}, "stop")))
        const { failure, pieces } = yield* untilFailure(model)
        assert.deepStrictEqual(pieces, texts("Hi"), malformed)
        assert.strictEqual(failure._tag, "ModelFailed")
      }
    }))

  it.scopedLive("fails at an HTML page, at a document without choices, and at an event that is too large", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([
        { status: 200, headers: { "content-type": "text/html" } },
        { write: "<html><body>Welcome</body></html>" },
        "end"
      ])
      assert.strictEqual((yield* untilFailure(model)).failure._tag, "ModelFailed")
      upstream.answer(json({ choices: [] }))
      assert.strictEqual((yield* untilFailure(model)).failure._tag, "ModelFailed")
      const megabyte = { write: "x".repeat(1024 * 1024) }
      upstream.answer([{ write: "data: " }, ...Array.from({ length: 12 }, () => megabyte), "hang"])
      const { failure } = yield* untilFailure(model)
      assert.strictEqual(failure.message, "The model's answer is larger than the limit of 8388608 bytes")
      yield* Effect.promise(async () => upstream.requests.at(-1)?.closed)
    }))

  it.scopedLive("fails at a compressed response", () =>
    Effect.gen(function*() {
      const headers = { "content-type": "text/event-stream", "content-encoding": "gzip" }
      const { model, upstream } = yield* modelBefore([{ status: 200, headers }, "hang"])
      assert.strictEqual((yield* untilFailure(model)).failure._tag, "ModelFailed")
      assert.strictEqual(upstream.requests[0]?.headers["accept-encoding"], "identity")
    }))
})
