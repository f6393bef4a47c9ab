import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Stream } from "effect"
import type { EspeakRequest } from "../src/Engine.js"
import { type EspeakThread, makeWasmBackend, startEspeakThread } from "../src/EspeakThread.js"
import { isStopped, makeGate, noteTaken, open, pushed, stop } from "../src/Gate.js"

const requestOf = (text: string): EspeakRequest => ({ text, voice: "hi", pitch: 50, wordsPerMinute: 175 })

const thread = (graceMillis?: number) =>
  Effect.acquireRelease(
    Effect.sync(() => startEspeakThread(new URL("./fakes/thread.mjs", import.meta.url), graceMillis)),
    ({ end }) => end
  )

/** Number of samples of a request, and of calls of `onDone`. */
const spokenBy = ({ begin }: EspeakThread, way: string) =>
  Effect.gen(function*() {
    let calls = 0
    const { audio, end } = begin(requestOf(way), { audioMillis: 10_000, onDone: () => calls += 1 })
    const exit = yield* Effect.exit(Stream.runFold(audio, 0, (sum, { length }) => sum + length))
    yield* end
    return { exit, calls }
  })

describe("a thread", () => {
  it.scopedLive("speaks one utterance after the other", () =>
    Effect.gen(function*() {
      const one = yield* thread()
      for (let round = 0; round < 3; round++) {
        assert.deepStrictEqual(yield* spokenBy(one, "speaks"), { exit: Exit.succeed(5), calls: 1 })
      }
      assert.isFalse(one.isBroken())
    }))

  for (const way of ["babbles", "exits", "throws", "traps"]) {
    it.scopedLive(`that crashes fails with the kind of error and stays broken: one that ${way}`, () =>
      Effect.gen(function*() {
        const one = yield* thread()
        for (const next of [way, "speaks"]) {
          const { calls, exit } = yield* spokenBy(one, next)
          const failure = yield* Effect.flip(exit)
          assert.strictEqual(failure._tag, "ModelFailed")
          assert.notInclude(failure.message, "नमस्ते")
          assert.strictEqual(calls, 1)
        }
        assert.isTrue(one.isBroken())
      }))
  }

  it.scopedLive("that does not stop in time is ended", () =>
    Effect.gen(function*() {
      const one = yield* thread(20)
      let calls = 0
      const { end } = one.begin(requestOf("loops"), { audioMillis: 10_000, onDone: () => calls += 1 })
      yield* end
      assert.deepStrictEqual([calls, one.isBroken()], [1, true])
    }))
})

describe("the gate of a thread", () => {
  it("passes chunks until the reader stops, and again for the next utterance", () => {
    const gate = makeGate()
    open(gate)
    for (let chunk = 0; chunk < 1_000; chunk++) {
      assert.isTrue(pushed(gate))
      noteTaken(gate)
    }
    assert.isFalse(isStopped(gate))
    stop(gate)
    noteTaken(gate)
    assert.isTrue(isStopped(gate))
    assert.isFalse(pushed(gate))
    open(gate)
    assert.isTrue(pushed(gate))
  })
})

/** Threads that do nothing, with their states. */
const fakeThreads = () => {
  const started: Array<{ isBroken: boolean; isEnded: boolean; done: () => void }> = []
  const start = (): EspeakThread => {
    const state = { isBroken: false, isEnded: false, done: () => {} }
    started.push(state)
    return {
      begin: (_, { onDone }) => {
        state.done = onDone
        return { audio: Stream.empty, end: Effect.void }
      },
      isBroken: () => state.isBroken,
      end: Effect.sync(() => void (state.isEnded = true))
    }
  }
  return { started, start }
}

describe("the threads of WebAssembly", () => {
  it.effect("are as many as there are utterances, with one from the start, and end with the scope", () =>
    Effect.gen(function*() {
      const { start, started } = fakeThreads()
      yield* Effect.scoped(Effect.gen(function*() {
        const { begin } = yield* makeWasmBackend({ start, audioMillis: 10_000 })
        assert.strictEqual(started.length, 1)
        let done = 0
        yield* Effect.replicateEffect(begin(requestOf("speaks"), () => done += 1), 3)
        assert.strictEqual(started.length, 3)
        started.forEach((thread) => thread.done())
        assert.strictEqual(done, 3)
        yield* begin(requestOf("speaks"), () => undefined)
        assert.strictEqual(started.length, 3)
      }))
      assert.deepStrictEqual(started.map(({ isEnded }) => isEnded), [true, true, true])
    }))

  it.scoped("are replaced when they break, at work or idle", () =>
    Effect.gen(function*() {
      const { start, started } = fakeThreads()
      const { begin } = yield* makeWasmBackend({ start, audioMillis: 10_000 })
      yield* begin(requestOf("speaks"), () => undefined)
      const [first] = started
      if (first === undefined) return assert.fail("no thread was started")
      first.isBroken = true
      first.done()
      assert.isTrue(first.isEnded)
      yield* begin(requestOf("speaks"), () => undefined)
      assert.strictEqual(started.length, 2)
    }))
})
