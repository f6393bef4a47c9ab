import { assert, describe } from "@effect/vitest"
import { ModelUnavailable } from "@trunkline/errors"
import { virtualTest } from "@trunkline/kernel/testing"
import { type ModelFailure, type ModelRequest, type Served, withFallbacks, withoutFeatures } from "@trunkline/models"
import { answers, ends, fails, fakeModel, says, waits } from "@trunkline/models/testing"
import { Effect } from "effect"
import { failed, limited, overloaded, refused, timedOut, unavailable } from "./Failures.js"
import { complete, first, route, spare } from "./FallbackFixtures.js"
import { ask, hello, read, textOf, ways } from "./Reading.js"

/** The failure that a client gets when all of these fail. */
const seenAfter = (...failures: ReadonlyArray<ModelFailure>) => {
  const routes = failures.map((failure, index) => route(`${index}`, fakeModel([[fails(failure)]])))
  return Effect.flip(withFallbacks(routes, first).generate(hello))
}

describe("fallback routes", () => {
  virtualTest("are called in order, once each, until one succeeds", () =>
    Effect.gen(function*() {
      for (const failure of [unavailable, failed, timedOut, limited("1 minute")]) {
        const [one, two, three] = [
          fakeModel([[fails(failure)]]),
          spare(),
          fakeModel([answers("3")])
        ]
        for (const options of [first, complete]) {
          const model = withFallbacks([route("one", one), route("two", two), route("three", three)], options)
          assert.strictEqual(yield* ask(model), "Two")
          assert.strictEqual(textOf(yield* read(model)), "Two")
        }
        assert.deepStrictEqual([one, two, three].map(({ calls }) => calls.length), [4, 4, 0])
      }
    }))

  virtualTest("are not tried after an error of the caller", () =>
    Effect.gen(function*() {
      const two = spare()
      const model = withFallbacks([route("one", fakeModel([[fails(refused)]])), route("two", two)], complete)
      assert.strictEqual(yield* ask(model), "BadRequest")
      assert.strictEqual((yield* read(model)).failure, refused)
      assert.strictEqual(two.calls.length, 0)
    }))

  virtualTest("are skipped if they do not support the request", () =>
    Effect.gen(function*() {
      const [one, two] = [fakeModel([[fails(unavailable)]]), fakeModel([[fails(refused)]])]
      const model = withFallbacks([
        route("one", one),
        route("two", two, { accepts: withoutFeatures("prefill", "images") }),
        route("three", fakeModel([answers("Three")]))
      ], first)
      const prefilled: ModelRequest = {
        ...hello,
        messages: [...hello.messages, { role: "assistant", content: "{", toolRequests: [] }]
      }
      assert.strictEqual(yield* ask(model, prefilled), "Three")
      assert.strictEqual(textOf(yield* read(model, prefilled)), "Three")
      assert.strictEqual(two.calls.length, 0)
      assert.strictEqual(yield* ask(model), "BadRequest")
    }))

  virtualTest("do not share state about their calls", () =>
    Effect.gen(function*() {
      const [one, two, three] = [
        fakeModel([[fails(unavailable)]]),
        fakeModel([[fails(unavailable)]]),
        fakeModel([answers("Three")])
      ]
      const model = withFallbacks([
        route("one", one, { requestFor: (request) => ({ ...request, model: "a", extra: { key: "secret" } }) }),
        route("two", two, { requestFor: (request) => ({ ...request, sampling: { seed: 1 } }) }),
        route("three", three)
      ], first)
      yield* ask(model)
      yield* read(model)
      assert.deepStrictEqual(one.calls[1]?.request, {
        ...hello,
        model: "a",
        extra: { key: "secret" },
        hasFallback: true
      })
      assert.deepStrictEqual(two.calls[1]?.request, { ...hello, sampling: { seed: 1 }, hasFallback: true })
      assert.deepStrictEqual(three.calls.map(({ request }) => request), [hello, hello])
    }))

  virtualTest(
    "know the tenant of the request, and whether another route follows",
    () =>
      Effect.gen(function*() {
        const origin = { tenant: "acme", request: "1" }
        const { model: id, messages } = hello
        for (const options of [first, complete]) {
          const [one, two] = [fakeModel([[fails(unavailable)]]), fakeModel([[fails(unavailable)]])]
          const routes = [
            route("one", one, { requestFor: () => ({ model: id, messages }) }),
            route("two", two, { accepts: withoutFeatures("logprobs") })
          ]
          const model = withFallbacks(routes, options)
          yield* read(model, { ...hello, origin })
          yield* read(model, { ...hello, origin, logprobs: 0 })
          yield* read(withFallbacks([{ name: "all", model }, route("none", spare())], options), { ...hello, origin })
          const origins = [one, two].map(({ calls }) =>
            calls.map(({ request }) => [request.origin, request.hasFallback])
          )
          assert.deepStrictEqual(origins, [
            [[origin, true], [origin, undefined], [origin, true]],
            [[origin, undefined], [origin, true]]
          ])
        }
      })
  )

  virtualTest("are closed before the next one is called", () =>
    Effect.gen(function*() {
      const one = fakeModel([[waits("1 second"), fails(failed)]])
      const closedBefore: Array<number | undefined> = []
      const requestFor = (request: ModelRequest) => {
        closedBefore.push(one.calls.at(-1)?.closings)
        return request
      }
      for (const options of [first, complete]) {
        yield* read(
          withFallbacks([route("one", one), route("two", spare(), { requestFor })], options)
        )
      }
      assert.deepStrictEqual(closedBefore, [1, 1])
    }))

  virtualTest("report the route that succeeded and the failures of the others", () =>
    Effect.gen(function*() {
      const reports: Array<string> = []
      const onServed = ({ failedRoutes, route }: Served) =>
        Effect.sync(() =>
          void reports.push(...failedRoutes.map(({ failure, route }) => `${route}: ${failure._tag}`), route)
        )
      const model = withFallbacks(
        [route("one", fakeModel([[fails(failed)]])), route("two", fakeModel([answers("Hi", " there")]))],
        { ...first, onServed }
      )
      const routeOfSpan = Effect.map(Effect.currentSpan, (span) => span.attributes.get("model.route"))
      for (const asking of ways) {
        assert.strictEqual(yield* Effect.withSpan(Effect.zipRight(asking(model), routeOfSpan), "test"), "two")
      }
      assert.deepStrictEqual(reports, ["one: ModelFailed", "two", "one: ModelFailed", "two"])
    }))

  virtualTest("report the usage of the route that succeeded", () =>
    Effect.gen(function*() {
      const one = fakeModel([[...says("One", " two", " three"), ends(0), fails(failed)]])
      const two = spare()
      const { usage } = yield* read(withFallbacks([route("one", one), route("two", two)], complete))
      assert.deepStrictEqual(usage.map(({ outputTokens }) => outputTokens), [1])
    }))
})

describe("when all routes fail", () => {
  virtualTest("the client gets the most informative failure", () =>
    Effect.gen(function*() {
      const soon = limited("3 seconds")
      const every = [unavailable, failed, timedOut, limited("9 seconds"), soon, limited("5 seconds")]
      assert.strictEqual(yield* seenAfter(...every), soon)
      assert.strictEqual(yield* seenAfter(unavailable, failed, timedOut), timedOut)
      assert.strictEqual(yield* seenAfter(unavailable, failed), failed)
      assert.strictEqual(yield* seenAfter(unavailable, new ModelUnavailable({ message: "refused" })), unavailable)
      assert.strictEqual(yield* seenAfter(unavailable, refused), refused)
      const later = overloaded("3 seconds")
      assert.strictEqual(yield* seenAfter(unavailable, overloaded("9 seconds"), later), later)
    }))

  virtualTest("or none exists, the request fails like others", () =>
    Effect.gen(function*() {
      const none = withFallbacks([], first)
      assert.strictEqual(yield* ask(none), "ModelUnavailable")
      assert.strictEqual((yield* read(none)).failure?._tag, "ModelUnavailable")
      const choosy = withFallbacks([route("one", fakeModel([answers("One")]), { accepts: () => false })], complete)
      assert.strictEqual(yield* ask(choosy), "BadRequest")
      assert.strictEqual((yield* read(choosy)).failure?._tag, "BadRequest")
    }))
})
