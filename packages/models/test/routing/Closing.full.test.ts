import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { withFallbacks, withQueue, withRetries } from "@trunkline/models"
import {
  answers,
  ends,
  fails,
  type FakeModel,
  fakeModel,
  type FakeStep,
  hangs,
  says,
  sends,
  waits
} from "@trunkline/models/testing"
import { Clock, Effect, Fiber, Stream } from "effect"
import { around } from "./Around.js"
import { failed } from "./Failures.js"
import { ask, hello, read, textOf, ways } from "./Reading.js"

/** Where an answer stands when its client leaves. */
const windows: Readonly<Record<string, ReadonlyArray<FakeStep>>> = {
  "before its first piece": [hangs],
  "in its middle": [...says("Half of"), hangs],
  "before its end": [...answers("All of"), hangs]
}

const closings = ({ calls }: FakeModel) => calls.map(({ closings }) => closings)

const once = (model: FakeModel) => model.calls.map(() => 1)

describe.each(Object.entries(around))("a model %s", (name, wrap) => {
  for (const [window, script] of Object.entries(windows)) {
    virtualTest(`is stopped at once, and once, when its client disconnects ${window}`, () =>
      Effect.gen(function*() {
        for (const asking of ways) {
          const inner = fakeModel([script])
          const client = yield* Effect.fork(asking(wrap(inner)))
          yield* Effect.sleep("1 second")
          assert.deepStrictEqual(closings(inner), [0])
          const before = yield* Clock.currentTimeMillis
          yield* Fiber.interrupt(client)
          assert.deepStrictEqual([closings(inner), yield* Clock.currentTimeMillis], [[1], before])
        }
      }))
  }

  virtualTest("is stopped once whenever its client disconnects, and serves the next one", () =>
    Effect.gen(function*() {
      const script = [...says("One"), waits(1), ...says(" two"), waits(1), ...answers(" three")]
      for (let steps = 0; steps < 40; steps++) {
        const inner = fakeModel([script])
        const model = wrap(inner)
        for (const asking of ways) {
          const client = yield* Effect.fork(asking(model))
          yield* Effect.repeatN(Effect.yieldNow(), steps % 10)
          yield* Effect.sleep(Math.floor(steps / 10))
          yield* Effect.repeatN(Effect.yieldNow(), steps % 10)
          yield* Fiber.interrupt(client)
          assert.deepStrictEqual(closings(inner), once(inner))
        }
        assert.strictEqual(yield* ask(model), "One two three")
        assert.strictEqual(textOf(yield* read(model)), "One two three")
        assert.deepStrictEqual(closings(inner), once(inner))
      }
    }))

  virtualTest("is stopped when its reader stops or fails", () =>
    Effect.gen(function*() {
      const inner = fakeModel([[...says("One", " two"), ...(name.includes("complete") ? [ends(2)] : [hangs])]])
      const model = wrap(inner)
      yield* Stream.runDrain(Stream.take(model.stream(hello), 1))
      yield* Effect.exit(Stream.runForEach(model.stream(hello), () => Effect.fail("the socket is closed")))
      assert.deepStrictEqual(closings(inner), [1, 1])
    }))

  virtualTest("keeps its chunks unchanged", () =>
    Effect.gen(function*() {
      const together = ["One", " two", " three"].map((text) => ({ _tag: "Text", text }) as const)
      const chunked = fakeModel([[sends(...together), ...answers(" four")]])
      const { chunks } = yield* read(wrap(chunked))
      assert.deepStrictEqual(chunks, [["One", " two", " three"], [" four"], []])
    }))

  virtualTest("passes the whole completion unchanged", () =>
    Effect.gen(function*() {
      const script = answers("One", " two")
      assert.deepStrictEqual(
        yield* wrap(fakeModel([script])).generate(hello),
        yield* fakeModel([script]).generate(hello)
      )
    }))
})

describe("a client that disconnects", () => {
  virtualTest("while it waits in the queue causes no call", () =>
    Effect.gen(function*() {
      for (const asking of ways) {
        const inner = fakeModel([[waits("10 seconds"), ...answers("Hi")]])
        const model = withQueue(inner, { concurrency: 1, waiting: 5, timeout: "1 minute" })
        const first = yield* Effect.fork(ask(model))
        yield* Effect.sleep("1 second")
        const second = yield* Effect.fork(asking(model))
        yield* Effect.sleep("1 second")
        yield* Fiber.interrupt(second)
        yield* Fiber.join(first)
        assert.deepStrictEqual(closings(inner), [1])
      }
    }))

  virtualTest("between two attempts or two routes leaves no state", () =>
    Effect.gen(function*() {
      for (const asking of ways) {
        const [one, two] = [fakeModel([[fails(failed)]]), fakeModel([[fails(failed)], [hangs]])]
        const patient = withRetries(one, { attempts: 2, initialDelay: "4 seconds" })
        const routes = [{ name: "one", model: patient }, { name: "two", model: withRetries(two) }]
        const client = yield* Effect.fork(asking(withFallbacks(routes, { commitPoint: "complete" })))
        yield* Effect.sleep("1 second")
        assert.deepStrictEqual([closings(one), closings(two)], [[1], []])
        yield* Effect.sleep("10 seconds")
        assert.deepStrictEqual([closings(one), closings(two)], [[1, 1], [1, 0]])
        yield* Fiber.interrupt(client)
        assert.deepStrictEqual([closings(one), closings(two)], [[1, 1], [1, 1]])
        yield* Effect.sleep("1 minute")
        assert.deepStrictEqual([one.calls.length, two.calls.length], [2, 2])
      }
    }))
})
