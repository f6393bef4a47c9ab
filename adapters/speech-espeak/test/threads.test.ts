import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope, Stream } from "effect"
import type { Speaking } from "../src/engine/Engine.js"
import { type EspeakThread, startThread } from "../src/wasm/EspeakThread.js"
import { given, isStopped, makeGate, open, stop, taken } from "../src/wasm/Gate.js"
import { makeThreads } from "../src/wasm/Threads.js"
import { until } from "./FakeEspeak.js"

const inWay = (text: string): Speaking => ({ text, voice: "hi", pitch: 50, wordsPerMinute: 175 })

const thread = (grace?: number) =>
  Effect.acquireRelease(
    Effect.sync(() => startThread({ url: new URL("./fakes/thread.mjs", import.meta.url) }, grace)),
    ({ end }) => Effect.promise(end)
  )

/** What a thread gives in a way, and how often it said that it is over. */
const spokenBy = ({ begin }: EspeakThread, way: string) =>
  Effect.gen(function*() {
    let gone = 0
    const { end, sound } = begin(inWay(way), { limit: 10_000, onGone: () => gone += 1 })
    const exit = yield* Effect.exit(Stream.runFold(sound, 0, (sum, { length }) => sum + length))
    yield* end
    return { exit, gone }
  })

describe("a thread", () => {
  it.scopedLive("speaks one thing after the other", () =>
    Effect.gen(function*() {
      const one = yield* thread()
      for (let round = 0; round < 3; round++) {
        assert.deepStrictEqual(yield* spokenBy(one, "speaks"), { exit: Exit.succeed(5), gone: 1 })
      }
      assert.isFalse(one.isBroken())
    }))

  for (const way of ["babbles", "exits", "throws", "traps"]) {
    it.scopedLive(`that breaks fails by its kind and is never used again: one that ${way}`, () =>
      Effect.gen(function*() {
        const one = yield* thread()
        for (const next of [way, "speaks"]) {
          const { exit, gone } = yield* spokenBy(one, next)
          const failure = yield* Effect.flip(exit)
          assert.strictEqual(failure._tag, "ModelFailed")
          assert.notInclude(failure.message, "नमस्ते")
          assert.strictEqual(gone, 1)
        }
        assert.isTrue(one.isBroken())
      }))
  }

  it.scopedLive("that does not stop when it should is ended", () =>
    Effect.gen(function*() {
      const one = yield* thread(20)
      let gone = 0
      const { end } = one.begin(inWay("loops"), { limit: 10_000, onGone: () => gone += 1 })
      yield* end
      assert.deepStrictEqual([gone, one.isBroken()], [1, true])
    }))
})

describe("the gate of a thread", () => {
  it("lets pieces pass until nothing more is wanted, and again for the next utterance", () => {
    const gate = makeGate()
    open(gate)
    for (let piece = 0; piece < 1_000; piece++) {
      assert.isTrue(given(gate))
      taken(gate)
    }
    assert.isFalse(isStopped(gate))
    stop(gate)
    taken(gate)
    assert.isTrue(isStopped(gate))
    assert.isFalse(given(gate))
    open(gate)
    assert.isTrue(given(gate))
  })
})

/** Threads that do nothing, with what became of them. */
const fakeThreads = () => {
  const started: Array<{ isBroken: boolean; isEnded: boolean }> = []
  const start = (): EspeakThread => {
    const state = { isBroken: false, isEnded: false }
    started.push(state)
    return {
      begin: () => ({ sound: Stream.empty, end: Effect.void }),
      isBroken: () => state.isBroken,
      end: () => Promise.resolve().then(() => void (state.isEnded = true))
    }
  }
  return { started, start, ended: () => started.map(({ isEnded }) => isEnded) }
}

describe("threads", () => {
  it.live("are as many as there is work for, and all but one go when they have nothing to do", () =>
    Effect.gen(function*() {
      const { ended, start, started } = fakeThreads()
      const scope = yield* Scope.make()
      const { giveBack, take } = yield* Scope.extend(makeThreads({ start, idle: 5 }), scope)
      assert.strictEqual(started.length, 1)
      const taken = [take(), take(), take()]
      assert.strictEqual(started.length, 3)
      taken.forEach(giveBack)
      yield* until(() => ended().filter(Boolean).length === 2)
      const last = take()
      assert.strictEqual(started.length, 3)
      giveBack(last)
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(ended(), [true, true, true])
    }))

  it.scopedLive("are replaced when they break", () =>
    Effect.gen(function*() {
      const { ended, start, started } = fakeThreads()
      const { giveBack, take } = yield* makeThreads({ start, idle: 60_000 })
      const broken = take()
      for (const state of started) state.isBroken = true
      giveBack(broken)
      assert.isFalse(take().isBroken())
      yield* until(() => ended()[0] === true)
      assert.strictEqual(started.length, 2)
    }))

  it.scopedLive("that break while they rest are not taken", () =>
    Effect.gen(function*() {
      const { start, started } = fakeThreads()
      const { take } = yield* makeThreads({ start, idle: 60_000 })
      for (const state of started) state.isBroken = true
      assert.isFalse(take().isBroken())
    }))
})
