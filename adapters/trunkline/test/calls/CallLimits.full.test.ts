import { assert, describe, it } from "@effect/vitest"
import { CallRejected, createTrunkline, type Trunkline, type TrunklineOptions } from "trunkline"
import { call, line, reminder, withTrunkline } from "../Fixtures.js"

const to = "+911140000001"

const deploy = (trunkline: Trunkline) =>
  trunkline.deployments.create({
    name: "Desk",
    app_id: "reminder",
    app_version: 1,
    connection_configs: [{ connection_id: "line", phone_numbers: [to] }]
  })

/** Calls that come in at once and last until the engine closes. */
const callIn = (trunkline: Trunkline, count: number) =>
  Promise.all(Array.from({ length: count }, (_, caller) =>
    trunkline.simulator.callIn({
      from: `+9198765${String(43_210 + caller)}`,
      to,
      caller: [{ say: "Thank you, goodbye.", after_seconds: 600, hang_up: true }]
    })))

const refusalsOf = async (calls: Awaited<ReturnType<typeof callIn>>) =>
  Promise.all(calls.filter(({ refused }) => refused !== null).map(async ({ ended }) => (await ended).failure_reason))

const thirty = [{ ...line, max_channels: 30 }]

describe("calls at once", () => {
  it("are as many as the line has channels, without an option", () =>
    withTrunkline({ lines: thirty }, async (trunkline) => {
      await deploy(trunkline)
      const calls = await callIn(trunkline, 31)
      assert.deepStrictEqual(await refusalsOf(calls), [
        "no_capacity: all 30 channels of the line line are in use (max_channels)"
      ])
    }))

  it("are at most as many as callLimits says, and each refusal names that", () =>
    withTrunkline({ lines: thirty, callLimits: { max_concurrent_calls: 2 } }, async (trunkline) => {
      await deploy(trunkline)
      assert.deepStrictEqual(await refusalsOf(await callIn(trunkline, 3)), [
        "no_capacity: the workspace is at its limit of 2 concurrent calls (its max_concurrent_calls)"
      ])
    }))

  it("are at most as many as the workspace says, whatever callLimits says", () =>
    withTrunkline({
      lines: thirty,
      callLimits: { max_concurrent_calls: 2 },
      access: {
        accounts: [{ account_id: "main", plan: "business" }],
        workspaces: [{ org_id: "main", workspace_id: "main", account_id: "main", max_concurrent_calls: 3 }],
        keys: []
      }
    }, async (trunkline) => {
      await deploy(trunkline)
      assert.deepStrictEqual(await refusalsOf(await callIn(trunkline, 5)), [
        ...Array<string>(2).fill(
          "no_capacity: the workspace is at its limit of 3 concurrent calls (its max_concurrent_calls)"
        )
      ])
    }))
})

describe("the time to ring", () => {
  /** Time in seconds for which a carrier is asked to let a call ring. */
  const rings = async (callLimits: TrunklineOptions["callLimits"] = {}) => {
    const ringSeconds: Array<number> = []
    await withTrunkline({
      callLimits,
      simulator: { speed: 1 },
      lines: [{
        ...line,
        provider: "own",
        carrier: {
          place: async ({ ring_seconds }) => {
            ringSeconds.push(ring_seconds)
            throw new CallRejected("busy")
          }
        }
      }]
    }, async (trunkline) => (await trunkline.calls.create(call)).ended)
    return ringSeconds
  }

  it("is 40 seconds, or what callLimits says", async () => {
    assert.deepStrictEqual(await rings(), [40])
    assert.deepStrictEqual(await rings({ ring_timeout_seconds: 90 }), [90])
  })
})

describe("callLimits", () => {
  const wrong: ReadonlyArray<readonly [object, string]> = [
    [{ max_concurrent_calls: 0 }, "callLimits.max_concurrent_calls"],
    [{ maxConcurrentCalls: 5 }, "callLimits.maxConcurrentCalls"],
    [{ inbound_share: 1.5 }, "callLimits.inbound_share"],
    [{ ring_timeout_seconds: 0 }, "callLimits.ring_timeout_seconds"],
    [{ line_health: { window: 5 } }, "callLimits.line_health.window"],
    [{ line_health: { failed_share: 0 } }, "callLimits.line_health.failed_share"]
  ]
  for (const [callLimits, option] of wrong) {
    const mistaken = { callLimits }
    it(`are checked: ${JSON.stringify(callLimits)}`, async () => {
      const options: TrunklineOptions = { data: ":memory:", agents: [reminder], lines: [line], ...mistaken }
      const error = await createTrunkline(options).then(() => undefined, (error: unknown) => error)
      assert.strictEqual(Reflect.get(Object(error), "option"), option)
    })
  }
})
