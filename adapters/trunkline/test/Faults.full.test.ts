import { assert, describe, it } from "@effect/vitest"
import { EngineFaults } from "@trunkline/kernel"
import { HttpSender } from "@trunkline/webhooks"
import { Array, Duration, Effect, Layer, Logger } from "effect"
import { CallNotSent, CallRejected, type EngineFault, type PlainCarrier, type TrunklineOptions } from "trunkline"
import { callEndedSender, callEndedUrl } from "../src/promises/CallEndedSender.js"
import { call, later, line, reminder, withTrunkline } from "./Fixtures.js"

const refused = new Error("401 Incorrect API key provided: sk-proj-4a7d1ed4")

const apology = "The language model could not answer: 401 Incorrect API key provided: ***."

/** Runs a call to its end; returns its reason, its connectivity, and what `onError` heard of it. */
const faultOf = async (options: Partial<TrunklineOptions>) => {
  const faults: Array<EngineFault> = []
  const ended = await withTrunkline(
    { ...options, onError: (fault) => void faults.push(fault) },
    async ({ calls }) => (await calls.create(call)).ended
  )
  return { ended, heard: faults }
}

/** A value as a caller without types could give it. */
const untyped = <A>(value: unknown): A => value as A

const placing = (place: PlainCarrier["place"]): Partial<TrunklineOptions> => ({
  lines: [{ ...line, provider: "mine", carrier: { place } }],
  simulator: {}
})

describe("a call whose model fails", () => {
  const models: ReadonlyArray<readonly [what: string, model: NonNullable<TrunklineOptions["model"]>]> = [
    ["rejects", { generate: () => Promise.reject(refused) }],
    ["throws", {
      generate: () => {
        throw refused
      }
    }],
    ["throws instead of streaming", {
      stream: () => {
        throw refused
      }
    }]
  ]
  for (const [what, model] of models) {
    it(`and ${what} has the reason, without the key`, async () => {
      const { ended, heard } = await faultOf({ model })
      assert.strictEqual(ended.failure_reason, apology)
      const told = heard.map(({ attempt_id, kind, message, workspace }) => ({ attempt_id, kind, message, workspace }))
      assert.deepStrictEqual(told, [
        { attempt_id: ended.attempt_id, kind: "call", message: apology, workspace: "main/main" }
      ])
    })
  }
})

describe("a call whose model rejects without a message", () => {
  it("says what it threw", async () => {
    for (const [thrown, words] of [[undefined, "threw undefined"], [new Error(), "threw an error without a message"]]) {
      const { ended } = await faultOf({ model: { generate: () => Promise.reject(thrown) } })
      assert.strictEqual(ended.failure_reason, `The language model could not answer: ${String(words)}.`)
    }
  })
})

describe("a plain carrier that rejects a call when it is placed", () => {
  it("gives the call the outcome that it tells, which is no error of its own", async () => {
    const { ended, heard } = await faultOf(placing(() => Promise.reject(new CallRejected("busy"))))
    assert.strictEqual(ended.connectivity_status, "busy")
    assert.strictEqual(ended.failure_reason, "mine: busy")
    assert.deepStrictEqual(heard, [])
  })

  it("lets the call wait where nothing was sent, as one attempt that nobody hears of", async () => {
    let tries = 0
    const { ended, heard } = await faultOf(placing(() => {
      tries += 1
      return Promise.reject(tries === 1 ? new CallNotSent("the gateway is full", 0.01) : new CallRejected("busy"))
    }))
    assert.deepStrictEqual([tries, ended.connectivity_status, heard.length], [2, "busy", 0])
  })

  it("names the method that a connected call lacks, and the statuses of a rejection", async () => {
    const place: PlainCarrier["place"] = (plan) =>
      Promise.resolve({
        provider_call_id: plan.attempt_id,
        answered: Promise.resolve(JSON.parse("{}")),
        cancel: () => Promise.resolve()
      })
    const { ended, heard } = await faultOf(placing(place))
    assert.strictEqual(ended.failure_reason, "mine: the connected call lacks the method say")
    assert.lengthOf(heard, 1)
    const wrong = () => Reflect.construct(CallRejected, ["engaged"])
    assert.throws(wrong, "CallRejected: the status is one of busy, no_answer, failed, provider_error, not \"engaged\"")
  })

  it("has a reason that ends in no colon, whatever it throws", async () => {
    const { ended, heard } = await faultOf(placing(() => Promise.reject(new CallRejected("provider_error", "why: "))))
    assert.strictEqual(ended.failure_reason, "mine: why")
    assert.deepStrictEqual(heard.map(({ kind, message }) => [kind, message]), [["call", "mine: why"]])
  })

  const odd: ReadonlyArray<readonly [what: string, thrown: unknown, reason: string]> = [
    ["an error without a message", new Error(""), "mine: threw an error without a message"],
    ["a text", "no trunk", "mine: no trunk"],
    ["undefined", undefined, "mine: threw undefined"],
    ["an object", { code: 503 }, "mine: threw an object without a message and with the code 503"]
  ]
  for (const [what, thrown, reason] of odd) {
    it(`says that it threw ${what}, when it places and when nobody answers`, async () => {
      const placed = await faultOf(placing(() => Promise.reject(thrown)))
      assert.strictEqual(placed.ended.failure_reason, reason)
      assert.deepStrictEqual(placed.heard.map(({ message }) => message), [reason])
      const answered = await faultOf(
        placing(async () => ({
          provider_call_id: "1",
          answered: Promise.reject(thrown),
          cancel: async () => undefined
        }))
      )
      assert.strictEqual(answered.ended.failure_reason, reason)
    })
  }

  it("names the part that a placed call lacks", async () => {
    const whole = { provider_call_id: "1", answered: Promise.resolve({}), cancel: async () => undefined }
    for (const part of ["provider_call_id", "answered", "cancel"]) {
      const place = () => Promise.resolve({ ...whole, [part]: undefined })
      const { ended } = await faultOf(placing(untyped(place)))
      assert.strictEqual(ended.failure_reason, `mine: the placed call lacks ${part}`)
    }
    const { ended } = await faultOf(placing(untyped(async () => undefined)))
    assert.strictEqual(ended.failure_reason, "mine: the placed call lacks provider_call_id")
  })
})

describe("onError", () => {
  it("hears that onCallEnded threw, with what it threw", async () => {
    const notReady = new Error("the host is not ready")
    const heard = later<EngineFault>()
    await withTrunkline({
      onCallEnded: () => {
        throw notReady
      },
      onError: heard.resolve
    }, async ({ calls }) => {
      const { attempt_id } = await calls.create(call)
      assert.deepStrictEqual(await heard.promise, {
        kind: "handler",
        name: "onCallEnded",
        message: "onCallEnded failed and is called again: the host is not ready",
        workspace: null,
        attempt_id,
        webhook_id: null,
        cause: notReady
      })
    })
  })

  it("hears that the result of a tool cannot be written as JSON, and why", async () => {
    const tool = { name: "count", description: "Counts", run: () => ({ people: 4n }) }
    const model = {
      generate: async ({ messages }: { readonly messages: ReadonlyArray<{ readonly role: string }> }) =>
        messages.some(({ role }) => role === "tool")
          ? { text: "Goodbye.", toolRequests: [{ id: "2", name: "end_call", arguments: "{}" }] }
          : { text: "", toolRequests: [{ id: "1", name: "count", arguments: "{}" }] }
    }
    const { heard } = await faultOf({ agents: [{ ...reminder, tools: [tool] }], model })
    assert.include(heard[0]?.message, "The tool count failed: its result cannot be written as JSON")
  })

  it("hears that a tool threw, and the call goes on", async () => {
    const broken = new Error("no table")
    const tool = { name: "find_table", description: "Finds a table", run: () => Promise.reject(broken) }
    const model = {
      generate: async ({ messages }: { readonly messages: ReadonlyArray<{ readonly role: string }> }) =>
        messages.some(({ role }) => role === "tool")
          ? { text: "Goodbye.", toolRequests: [{ id: "2", name: "end_call", arguments: "{}" }] }
          : { text: "", toolRequests: [{ id: "1", name: "find_table", arguments: "{}" }] }
    }
    const { ended, heard } = await faultOf({ agents: [{ ...reminder, tools: [tool] }], model })
    assert.strictEqual(ended.completion_status, "completed")
    assert.lengthOf(heard, 1)
    assert.deepInclude(heard[0], {
      kind: "tool",
      name: "find_table",
      message: "The tool find_table failed: no table",
      attempt_id: ended.attempt_id,
      cause: broken
    })
  })

  it("may throw: calls go on", async () => {
    const model = { generate: () => Promise.reject(refused) }
    const onError = () => {
      throw new Error("my mistake")
    }
    await withTrunkline({ model, onError }, async ({ calls }) => {
      for (const _ of [1, 2]) {
        assert.strictEqual((await (await calls.create(call)).ended).failure_reason, apology)
      }
    })
  })
})

describe("a failure of onCallEnded", () => {
  it.effect("is logged as a warning with the attempt and the stack", () =>
    Effect.gen(function*() {
      const logs: Array<string> = []
      const logger = Logger.make(({ annotations, logLevel, message }) => {
        logs.push([logLevel.label, ...Array.ensure(message), ...annotations].join(" "))
      })
      const sender = callEndedSender(() => {
        throw new Error("not ready for +919876543210")
      }, { allowInsecureUrls: false, allowPrivateUrls: false })
      const body = new TextEncoder().encode(`{"attempt_id":"attempt-1"}`)
      const request = { url: callEndedUrl, headers: {}, body, timeout: Duration.seconds(15) }
      yield* HttpSender.pipe(
        Effect.flatMap(({ post }) => Effect.flip(post(request))),
        Effect.provide(Layer.mergeAll(
          sender,
          EngineFaults.layer(() => Effect.void),
          Logger.replace(Logger.defaultLogger, logger)
        ))
      )
      assert.lengthOf(logs, 1)
      assert.match(logs[0] ?? "", /^WARN onCallEnded failed and is called again: not ready for \*\*\*/)
      assert.include(logs[0], "Faults.full.test")
      assert.include(logs[0], "attempt-1")
    }))
})
