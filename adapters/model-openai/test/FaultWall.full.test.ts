import { assert, describe, it } from "@effect/vitest"
import { type ModelRequest, withoutFeatures } from "@trunkline/models"
import { Duration, Effect, type Scope } from "effect"
import { untilOnTime } from "../../../test/setup/OnTime.js"
import { serving, ways } from "./fixtures/Clients.js"
import { fakeUpstream } from "./fixtures/FakeUpstream.js"
import {
  allOf,
  assertHonest,
  either,
  ending,
  type Faced,
  facing,
  outputTokens,
  slowly,
  status,
  tokensOf,
  upTo,
  well
} from "./fixtures/Wall.js"
import { events, hello, json, words } from "./fixtures/Wire.js"

/** Without a fallback. */
const alone = { secondary: null }

const fortieth = tokensOf("primary").slice(0, 40).join("")

const assertAll = (results: ReadonlyArray<Faced>, expected: (faced: Faced) => Partial<Faced>) => {
  for (const faced of results) assert.deepInclude(faced, expected(faced), faced.way)
}

const assertFailed = (results: ReadonlyArray<Faced>, tag: string, attempts: number) => {
  for (const { requestCounts, failure, way } of results) {
    assert.strictEqual(failure?._tag, tag, way)
    assert.deepStrictEqual(requestCounts, [attempts, 0], way)
  }
}

const byPrimary = (attempts: number) =>
  ({ failure: null, text: allOf("primary"), requestCounts: [attempts, 0] }) as const

const bySecondary = (attempts: number) =>
  ({ failure: null, text: allOf("secondary"), requestCounts: [attempts, 1], served: ["secondary"] }) as const

const cutShort = { status: 200, headers: { "content-type": "application/json" } }

/** A test whose upstreams and deadlines run in real time. */
const face = (name: string, test: () => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.scopedLive(name, (context) => untilOnTime(context, Effect.suspend(test)))

/** The sixteen faults of the design (llm 2.4). The comments of `assertHonest` hold for all of them. */
describe.concurrent("a client whose upstream", () => {
  face(
    "1: rate limits with a Retry-After gets its completion after that, or from the fallback at once",
    () =>
      Effect.gen(function*() {
        const fault = [status(429, {}, { "retry-after": "0.2" }), well("primary")]
        const patient = yield* facing(fault, alone)
        assertAll(patient, () => byPrimary(2))
        for (const { took, way } of patient) assert.isAtLeast(took, 200, way)
        assertAll(yield* facing(fault), () => bySecondary(1))
      })
  )

  face(
    "2: rate limits permanently gets the failure after four attempts, or the completion of the fallback",
    () =>
      Effect.gen(function*() {
        const fault = [status(429, {}, { "retry-after": "0" })]
        assertFailed(yield* facing(fault, alone), "ModelRateLimited", 4)
        assertAll(yield* facing(fault), () => bySecondary(2))
        for (const { failure } of yield* facing([status(429, {}, { "retry-after": "20" })], alone)) {
          assert.deepInclude(failure, { _tag: "ModelRateLimited", retryAfter: Duration.seconds(20) })
        }
      })
  )

  face("3: fails once gets its completion", () =>
    Effect.gen(function*() {
      assertAll(yield* facing([status(500), well("primary")], alone), () => byPrimary(2))
      assertAll(yield* facing([status(500), well("primary")]), () => byPrimary(2))
    }))

  face(
    "4: is permanently unavailable gets the failure after four attempts, or the completion of the fallback",
    () =>
      Effect.gen(function*() {
        assertFailed(yield* facing([status(503)], alone), "ModelUnavailable", 4)
        assertAll(yield* facing([status(503)]), () => bySecondary(2))
      })
  )

  face("5: resets the connection before the response gets its completion", () =>
    Effect.gen(function*() {
      assertAll(yield* facing([() => ["reset"], well("primary")], alone), () => byPrimary(2))
      assertAll(yield* facing([() => ["reset"]]), () => bySecondary(2))
    }))

  face(
    "6: does not respond gets a timeout, or the completion of the fallback after one attempt",
    () =>
      Effect.gen(function*() {
        const inTime = { timeouts: { headers: 400, total: 600 } }
        assertFailed(yield* facing([() => ["hang"]], { options: inTime, secondary: null }), "ModelTimedOut", 1)
        const watched = { watchWhole: true, timeouts: { headers: 400 } }
        for (const options of [inTime, watched]) {
          assertAll(yield* facing([() => ["hang"]], { options }), () => bySecondary(1))
        }
      })
  )

  face(
    "7: sends no first token in time gets a timeout, or the completion of the fallback after one attempt",
    () =>
      Effect.gen(function*() {
        const options = { timeouts: { firstToken: 400, total: 600 } }
        assertFailed(yield* facing([slowly], { options, secondary: null }), "ModelTimedOut", 1)
        assertAll(yield* facing([slowly], { options }), () => bySecondary(1))
      })
  )

  face(
    "8: truncates its response after 40 of 60 tokens gets a failure, or the completion of the fallback if nothing was sent",
    () =>
      Effect.forEach(["cut", "reset", "end"] as const, (how) =>
        Effect.gen(function*() {
          const fault = [upTo(40, how)]
          assertAll(yield* facing(fault), ({ isStream }) => isStream ? { requestCounts: [1, 0] } : bySecondary(2))
          for (const { failure, isStream, text } of yield* facing(fault, alone)) {
            assert.deepStrictEqual([failure?._tag, text], [
              "ModelFailed",
              isStream && how !== "reset" ? fortieth : text
            ])
          }
          const rescued = yield* facing(fault, { options: { commitPoint: "complete" } })
          assertAll(rescued, ({ isStream }) => bySecondary(isStream ? 1 : 2))
        }), { concurrency: "unbounded" })
  )

  face("9: stalls in its response gets a timeout, or the completion of the fallback", () =>
    Effect.gen(function*() {
      const fault = [upTo(40, "hang")]
      const options = { watchWhole: true, timeouts: { betweenTokens: 300 } }
      for (const { failure, isStream, text } of yield* facing(fault, { options, secondary: null })) {
        assert.deepStrictEqual([failure?._tag, text], ["ModelTimedOut", isStream ? fortieth : ""])
      }
      assertAll(
        yield* facing(fault, { options }),
        ({ isStream }) => isStream ? { requestCounts: [1, 0], text: fortieth } : bySecondary(1)
      )
      const complete = { ...options, commitPoint: "complete" } as const
      assertAll(yield* facing(fault, { options: complete }), () => bySecondary(1))
      const inOne = yield* facing(fault, { options: { timeouts: { total: 600 } } })
      assertAll(inOne.filter(({ isStream }) => !isStream), () => bySecondary(1))
    }))

  face(
    "10: sends a malformed frame gets a failure, or the completion of the fallback if nothing was sent",
    () =>
      Effect.gen(function*() {
        const tokens = tokensOf("primary").map(words)
        const fault = [
          either(
            [{ write: events(...tokens.slice(0, 9), "{\"choices\":[{", ...tokens.slice(10), "[DONE]") }, "end"],
            [cutShort, { write: "{\"choices\":[{" }, "end"]
          )
        ]
        for (const { failure, isStream, text } of yield* facing(fault, alone)) {
          const shown = isStream ? tokensOf("primary").slice(0, 9).join("") : ""
          assert.deepStrictEqual([failure?._tag, text], ["ModelFailed", shown])
        }
        const rescued = yield* facing(fault, { options: { commitPoint: "complete" } })
        assertAll(rescued, ({ isStream }) => bySecondary(isStream ? 1 : 2))
      })
  )

  face("11: omits the final event gets its completion without delay", () =>
    Effect.gen(function*() {
      const tokens = tokensOf("primary").map(words)
      const [stop, usage] = ending("primary")
      for (const rest of ["hang", "end", "cut"] as const) {
        for (const last of [[stop, usage], [{ ...usage, ...stop }]]) {
          const steps = [{ write: events(...tokens, ...last) }, { pause: 50 }, rest] as const
          const streams = (yield* facing([either(steps, json(null))], alone)).filter(({ isStream }) => isStream)
          assertAll(streams, () => byPrimary(1))
        }
      }
    }))

  for (
    const [name, error] of [
      ["12: finds the prompt too long", { code: "context_length_exceeded" }],
      ["13: does not want the prompt", { code: "content_policy_violation" }]
    ] as const
  ) {
    face(`${name} hears so at once, and nobody else is asked`, () =>
      Effect.gen(function*() {
        assertFailed(yield* facing([status(400, error)], alone), "BadRequest", 1)
        assertFailed(yield* facing([status(400, error)]), "BadRequest", 1)
      }))
  }

  face(
    "14: is unavailable gets that failure although the fallback does not support the request",
    () =>
      Effect.gen(function*() {
        const request: ModelRequest = {
          ...hello,
          messages: [...hello.messages, { role: "assistant", content: "{", toolRequests: [] }]
        }
        const answering = status(400, { message: "Prefilling is not supported" })
        for (
          const secondary of [{ accepts: withoutFeatures("prefill") }, { capabilities: { all: { prefill: false } } }]
        ) {
          const results = yield* facing([status(503)], { secondary, answering, request })
          assertFailed(results, "ModelUnavailable", 2)
          const tertiary = yield* fakeUpstream(well("tertiary"))
          const fallbacks = [
            { name: "secondary", baseUrl: tertiary.baseUrl, ...secondary },
            { name: "tertiary", baseUrl: tertiary.baseUrl }
          ]
          assertAll(yield* facing([status(503)], { options: { fallbacks }, request }), () => ({
            text: allOf("tertiary"),
            served: ["tertiary"]
          }))
          const unable = yield* facing([well("primary")], {
            options: { capabilities: { all: { prefill: false } } },
            request
          })
          assertAll(unable, () => ({ ...bySecondary(0) }))
        }
      })
  )

  face(
    "15: is intermittently unavailable is served by the fallback, and by the upstream again within a pause",
    () =>
      Effect.forEach(Object.entries(ways), ([way, { ask }]) =>
        Effect.gen(function*() {
          const openFor = 500
          const primary = yield* fakeUpstream(status(503))
          const secondary = yield* fakeUpstream(well("secondary"))
          const services = yield* serving({
            baseUrl: primary.baseUrl,
            retries: { attempts: 2, initialDelay: 10 },
            breaker: { openFor },
            fallbacks: [{ name: "secondary", baseUrl: secondary.baseUrl }]
          })
          const answer = Effect.tap(Effect.provide(ask(hello), services), (result) => assertHonest(result, way))
          for (let round = 0; round < 2; round++) {
            const before = primary.requests.length
            primary.answer(status(503))
            for (let index = 0; index < 20; index++) assert.strictEqual((yield* answer).text, allOf("secondary"), way)
            assert.isBelow(primary.requests.length - before, 40, `${way}: it is left alone`)
            primary.answer(well("primary"))
            yield* Effect.sleep(openFor + 20)
            for (let index = 0; index < 5; index++) assert.strictEqual((yield* answer).text, allOf("primary"), way)
          }
        }), { concurrency: "unbounded" })
  )

  face("16: reports usage and then fails is charged the usage of the fallback, once", () =>
    Effect.gen(function*() {
      const usage = { choices: [], usage: { prompt_tokens: 900, completion_tokens: 900, total_tokens: 1_800 } }
      const fault = [
        either([{ write: events(usage, words("primary 0, ")) }, { pause: 50 }, "cut"], json({ usage: usage.usage }))
      ]
      assertAll(yield* facing(fault, { options: { commitPoint: "complete" } }), ({ isStream, paid }) => ({
        ...bySecondary(isStream ? 1 : 2),
        outputTokens: outputTokens.secondary,
        paid: paid === null ? null : [outputTokens.secondary]
      }))
    }))
})
