import { assert, describe, it } from "@effect/vitest"
import { macroTask } from "@trunkline/kernel"
import { type LlamaCppMissing, LlamaCppModel, LlamaCppTokens, type ModelFileUnusable } from "@trunkline/model-llama-cpp"
import { LanguageModel, type ModelRequest } from "@trunkline/models"
import { Deferred, Effect, Fiber, Layer, Option, Stream } from "effect"
import { installCommand } from "../src/OpenedModel.js"
import { fakeLlama, type FakeOptions } from "./FakeLlama.js"

const request = (content: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "core-105b",
  messages: [{ role: "user", content }],
  ...more
})

const ask = (content: string, more: Partial<ModelRequest> = {}) =>
  Effect.flatMap(LanguageModel, ({ generate }) => generate(request(content, more)))

const built = (options: Partial<LlamaCppModel.Options>) => LlamaCppModel.layer({ file: "a.gguf", ...options })

const faked = (options: FakeOptions = {}) => built(fakeLlama(options))

/** Reads an answer that does not end by itself, in a fiber of its own, once its first words are there. */
const reading = (content: string) =>
  Effect.gen(function*() {
    const { stream } = yield* LanguageModel
    const startSignal = yield* Deferred.make<void>()
    const reader = yield* Effect.forkDaemon(
      Stream.runForEach(stream(request(content)), () => Deferred.succeed(startSignal, undefined))
    )
    yield* Deferred.await(startSignal)
    return reader
  })

const onAndOn = Array.from({ length: 100_000 }, () => "on and ")

/** llama.cpp's errors are told apart by the names of their classes. */
class DisposedError extends Error {}
class InsufficientMemoryError extends Error {}
class GrammarError extends Error {}

describe("a layer that cannot be built", () => {
  it.effect("explains how to install llama.cpp if it is missing, broken, or of another version", () =>
    Effect.gen(function*() {
      const layers = [
        built({ load: () => Promise.reject(new Error("Cannot find package")) }),
        built({ load: () => Promise.resolve({ getLlama: () => 0 }) }),
        faked({ startsWith: new Error("NoBinaryFound") })
      ]
      for (const live of layers) {
        const failure = yield* Effect.flip(Effect.scoped(Layer.build(live)))
        assert.strictEqual(failure._tag, "LlamaCppMissing")
        assert.include(failure.message, "npm i node-llama-cpp@3.22 --omit=optional")
      }
    }))

  it("names the package that the platform needs", () => {
    assert.strictEqual(
      installCommand("linux-x64"),
      "npm i node-llama-cpp@3.22 --omit=optional && npm i @node-llama-cpp/linux-x64@3.22 --omit=optional"
    )
    assert.include(installCommand("darwin-arm64"), "@node-llama-cpp/mac-arm64-metal@3.22")
    assert.strictEqual(installCommand("plan9-mips"), "npm i node-llama-cpp@3.22 --omit=optional")
  })

  it.effect("names an unusable file and the reason", () =>
    Effect.gen(function*() {
      const { load } = fakeLlama({ loadsWith: new Error("no GGUF") })
      const layers: ReadonlyArray<Layer.Layer<never, LlamaCppMissing | ModelFileUnusable>> = [
        built({ load }),
        faked({ contextWith: new Error("no GGUF") }),
        LlamaCppTokens.layer({ file: "a.gguf", load })
      ]
      for (const live of layers) {
        const failure = yield* Effect.flip(Effect.scoped(Layer.build(live)))
        assert.strictEqual(failure._tag, "ModelFileUnusable")
        assert.strictEqual(failure.message, "a.gguf cannot be used as a model: no GGUF")
      }
    }))
})

describe("a model in a file", () => {
  it.effect("reports usage", () =>
    Effect.gen(function*() {
      const { text, usage } = yield* ask("Hi")
      assert.strictEqual(text, "fine")
      const inputTokens = "user:Hi;model:".length
      assert.deepStrictEqual(usage, { inputTokens, cachedTokens: 0, outputTokens: 1, reasoningTokens: 0 })
    }).pipe(Effect.provide(faked())))

  it.effect("evaluates only the new part of a long prompt", () =>
    Effect.gen(function*() {
      const talk = "x".repeat(1_000)
      yield* ask(talk)
      assert.isAbove((yield* ask(`${talk}y`)).usage?.cachedTokens ?? 0, 800)
      assert.isBelow((yield* ask(`y${talk}`)).usage?.cachedTokens ?? 0, 10)
    }).pipe(Effect.provide(faked())))

  it.effect("uses a given seed, and a new one each time without", () => {
    const { load, seen } = fakeLlama()
    return Effect.gen(function*() {
      yield* Effect.all([
        ask("Hi"),
        ask("Hi"),
        ask("Hi", { sampling: { seed: 5 } }),
        ask("Hi", { sampling: { seed: -1 } })
      ])
      const [first, second, third, fourth] = seen.options.map(({ seed }) => seed)
      assert.notStrictEqual(first, second)
      assert.deepStrictEqual([third, fourth], [5, 2 ** 32 - 1])
    }).pipe(Effect.provide(built({ load })))
  })

  it.effect("rejects unsupported requests", () =>
    Effect.gen(function*() {
      const image = [{ type: "image", mediaType: "image/png", base64: "" }] as const
      const refused = [
        ask("Hi", { logprobs: 0 }),
        ask("Hi", { messages: [{ role: "user", content: image }] }),
        ask("Hi", { toolChoice: "required" }),
        ask("Hi", { toolChoice: { name: "two" }, tools: [{ name: "one" }] }),
        ask("Hi", { tools: [{ name: "two words" }] }),
        ask("x".repeat(8_192)),
        ask("x ".repeat(100_000))
      ]
      for (const asking of refused) assert.strictEqual((yield* Effect.flip(asking))._tag, "BadRequest")
      assert.include((yield* Effect.flip(ask("x ".repeat(100_000)))).message, "holds 8192 tokens")
    }).pipe(Effect.provide(faked())))

  it.effect("rejects long runs of letters that may crash llama.cpp, for any context length", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(ask("क".repeat(8_193)))
      assert.strictEqual(failure._tag, "BadRequest")
      assert.include(failure.message, "without a break")
      assert.strictEqual((yield* ask("क".repeat(8_192))).text, "fine")
    }).pipe(Effect.provide(built({ ...fakeLlama(), contextSize: 32_768 }))))

  it.effect("reports the kind of a failure without any content", () =>
    Effect.gen(function*() {
      const failures = yield* Effect.forEach(
        [new DisposedError("secret"), new InsufficientMemoryError("secret"), new GrammarError("secret")],
        (error) =>
          Effect.flip(ask("Hi")).pipe(Effect.provide(faked({
            answer: () => {
              throw error
            }
          })))
      )
      assert.deepStrictEqual(failures.map(({ _tag }) => _tag), ["ModelUnavailable", "ModelUnavailable", "ModelFailed"])
      for (const { message } of failures) assert.notInclude(message, "secret")
    }))

  it.effect("stops at a complete stop sequence without passing any of it", () => {
    const { load, seen } = fakeLlama({ answer: () => ["one ", "tw", "o th", ...onAndOn] })
    return Effect.gen(function*() {
      const completion = yield* ask("Hi", { limits: { stop: ["three", "two"] } })
      assert.strictEqual(completion.text, "one ")
      assert.strictEqual(completion.finish, "stop")
      assert.isBelow(completion.usage?.outputTokens ?? Infinity, 6)
      assert.strictEqual(seen.options.length, 1)
    }).pipe(Effect.provide(built({ load })))
  })
})

describe("concurrent completions", () => {
  it.effect("never share a sequence, also while llama.cpp is slow to stop", () => {
    let letGo = () => {}
    const lingers = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const { load, seen } = fakeLlama({
      lingers,
      answer: (history) => JSON.stringify(history).includes("first") ? onAndOn : ["second"]
    })
    return Effect.gen(function*() {
      yield* Fiber.interrupt(yield* reading("first"))
      const second = yield* Effect.fork(ask("second"))
      yield* Effect.replicateEffect(macroTask, 10)
      assert.isTrue(Option.isNone(yield* Fiber.poll(second)))
      letGo()
      assert.strictEqual((yield* Fiber.join(second)).text, "second")
      assert.strictEqual(seen.mostInOnePlace, 1)
    }).pipe(Effect.provide(built({ load })))
  })

  it.effect("wait in a queue, and are rejected when it is full", () => {
    const { load, seen } = fakeLlama({
      answer: (history) => JSON.stringify(history).includes("long") ? onAndOn : ["short"]
    })
    return Effect.gen(function*() {
      const long = yield* reading("long")
      const waiting = yield* Effect.fork(ask("short"))
      yield* Effect.replicateEffect(macroTask, 3)
      assert.strictEqual((yield* Effect.flip(ask("one too many")))._tag, "ModelRateLimited")
      yield* Fiber.interrupt(long)
      assert.strictEqual((yield* Fiber.join(waiting)).text, "short")
      assert.strictEqual(seen.mostInOnePlace, 1)
    }).pipe(Effect.provide(built({ load, waiting: 1 })))
  })

  it.effect("are as many as the sequences", () =>
    Effect.gen(function*() {
      const first = yield* reading("first")
      const second = yield* reading("second")
      yield* Fiber.interruptAll([first, second])
    }).pipe(Effect.provide(built({ ...fakeLlama({ answer: () => onAndOn }), concurrency: 2 }))))

  it.effect("end before the model is released, in reverse order", () => {
    const { load, seen } = fakeLlama({ answer: () => onAndOn })
    return Effect.gen(function*() {
      const reader = yield* Effect.provide(reading("Hi"), built({ load }))
      assert.deepStrictEqual(seen.disposed, ["context", "model", "llama"])
      assert.strictEqual((yield* Effect.flip(Fiber.join(reader)))._tag, "ModelFailed")
    })
  })
})
