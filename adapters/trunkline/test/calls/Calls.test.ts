import { assert, describe, it } from "@effect/vitest"
import { toolOutput } from "trunkline"
import type { CallEnded } from "../../src/generated/Resources.js"
import { makeEndedCalls } from "../../src/promises/CallMethods.js"
import { call, collect, line, reminder, withTrunkline } from "../Fixtures.js"

describe("calls with promises", () => {
  it("resolve with outcome, variables and transcript when they have ended", () =>
    withTrunkline({}, async (trunkline) => {
      const started = await trunkline.calls.create(call)
      const ended = await started.ended
      assert.strictEqual(ended.attempt_id, started.attempt_id)
      assert.strictEqual(ended.completion_status, "completed")
      assert.deepStrictEqual(ended.initial_agent_variables, { name: "Asha" })
      assert.strictEqual(ended.transcript?.[0]?.en_text, "Hello Asha")
    }))

  it("resolve as well when nobody answers", () =>
    withTrunkline({ simulator: { speed: 1000, default: "busy" } }, async (trunkline) => {
      const { ended } = await trunkline.calls.create(call)
      const { connectivity_status, transcript } = await ended
      assert.strictEqual(connectivity_status, "busy")
      assert.isNull(transcript)
    }))

  it("of an unknown agent or line are rejected, before anything is dialled", () =>
    withTrunkline({}, async (trunkline) => {
      const errors = await Promise.all([
        trunkline.calls.create({ ...call, agent: "nobody" }).catch((error: Error) => error),
        trunkline.calls.create({ ...call, line: "none" }).catch((error: Error) => error),
        trunkline.calls.create({ ...call, to: "12" }).catch((error: Error) => error),
        trunkline.calls.create(call, { workspace: "main/other" }).catch((error: Error) => error)
      ])
      assert.deepStrictEqual(errors.map((error) => Reflect.get(error, "_tag")), [
        "NotFound",
        "NotFound",
        "Invalid",
        "NotFound"
      ])
    }))

  it("can be followed as they happen, until the loop is left or a signal aborts", () =>
    withTrunkline({}, async (trunkline) => {
      const following = new AbortController()
      const types: Array<string> = []
      const followed = (async () => {
        for await (const event of trunkline.live({ signal: following.signal })) {
          types.push(event.type)
          if (event.type === "attempt.ended") following.abort()
        }
      })()
      // The subscription begins with the first turn of the loop.
      await new Promise((resolve) => setTimeout(resolve, 50))
      await (await trunkline.calls.create(call)).ended
      await followed
      assert.strictEqual(types[0], "attempt.started")
      assert.strictEqual(types.at(-1), "attempt.ended")
    }))
})

describe("ends of calls", () => {
  it("that come while the call is being started are not missed", async () => {
    const calls = makeEndedCalls()
    const report: CallEnded = JSON.parse(`{"attempt_id":"a"}`)
    const ended = calls.during(async (endOf) => {
      calls.ended(() => report, "a")
      return endOf("a")
    })
    assert.strictEqual(await ended, report)
  })

  it("are rejected when the engine is closed before", async () => {
    const calls = makeEndedCalls()
    const { ended } = await calls.during(async (endOf) => ({ ended: endOf("a") }))
    calls.close()
    assert.strictEqual(
      await ended.then(() => "", (error: Error) => error.message),
      "The engine was closed before the call ended"
    )
  })
})

describe("tools of agents", () => {
  it("run with the arguments of the model and set variables", () => {
    const used: Array<unknown> = []
    const agent = {
      ...reminder,
      tools: [{
        name: "find_table",
        description: "Finds a table",
        run: async (input: Readonly<Record<string, unknown>>) => {
          used.push(input)
          return toolOutput("A table at eight", { table: 8 })
        }
      }]
    }
    const model = {
      generate: async ({ messages }: { readonly messages: ReadonlyArray<{ readonly role: string }> }) =>
        messages.some(({ role }) => role === "tool")
          ? {
            text: "I have a table at eight. Goodbye.",
            toolRequests: [{ id: "2", name: "end_call", arguments: "{}" }]
          }
          : { text: "", toolRequests: [{ id: "1", name: "find_table", arguments: "{\"people\":2}" }] }
    }
    return withTrunkline({ agents: [agent], model }, async (trunkline) => {
      const { final_agent_variables } = await (await trunkline.calls.create(call)).ended
      assert.deepStrictEqual(used, [{ people: 2 }])
      assert.strictEqual(final_agent_variables?.["table"], 8)
    })
  })
})

describe("plain carriers", () => {
  it("carry the conversation of a call", () => {
    const texts: Array<string> = []
    const carrier = {
      place: async () => ({
        provider_call_id: "call-1",
        answered: Promise.resolve({
          say: async ({ text }: { readonly text: string }) => {
            texts.push(text)
          },
          listen: async () => ({ text: "Yes, speaking." }),
          hangUp: async () => undefined
        }),
        cancel: async () => undefined
      })
    }
    const lines = [{ ...line, provider: "mine", carrier }]
    return withTrunkline({ lines, simulator: {} }, async (trunkline) => {
      const { completion_status } = await (await trunkline.calls.create(call)).ended
      assert.strictEqual(completion_status, "completed")
      assert.strictEqual(texts[0], "Hello Asha")
    })
  })

  it("that reject a call with its reason give the call that outcome", async () => {
    const { CallRejected } = await import("trunkline")
    const carrier = {
      place: async () => ({
        provider_call_id: "call-1",
        answered: Promise.reject(new CallRejected("busy", "engaged")),
        cancel: async () => undefined
      })
    }
    await withTrunkline({ lines: [{ ...line, provider: "mine", carrier }], simulator: {} }, async (trunkline) => {
      const { connectivity_status, failure_reason } = await (await trunkline.calls.create(call)).ended
      assert.strictEqual(connectivity_status, "busy")
      assert.strictEqual(failure_reason, "mine: engaged")
    })
  })
})

it("items of lists can be collected over all pages", () =>
  withTrunkline({}, async (trunkline) => {
    const phone_numbers = ["+919876543211", "+919876543212", "+919876543213"]
    await trunkline.blockedNumbers.add({ phone_numbers })
    const items = await collect(trunkline.blockedNumbers.list({ limit: 2 }))
    assert.sameMembers(items.map(({ phone_number }) => phone_number), phone_numbers)
    const page = await trunkline.blockedNumbers.list({ limit: 2 })
    assert.strictEqual(page.total, 3)
  }))
