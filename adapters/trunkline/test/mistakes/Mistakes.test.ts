import { assert, describe, it } from "@effect/vitest"
import type { NewCall, PlainModel, Tool } from "trunkline"
import { call, line, reminder, withTrunkline } from "../Fixtures.js"

/** The tag and the message of a rejection. */
const rejection = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    (value) => `resolved with ${JSON.stringify(value)}`,
    (error: Error) => `${String(Reflect.get(error, "_tag"))} ${error.message}`
  )

/** A value as a caller without types could give it. */
const untyped = <A>(value: unknown): A => value as A

describe("mistakes that only a compiler would have seen", () => {
  it("in a call are rejected before anything is dialled", () =>
    withTrunkline({}, async ({ attempts, calls }) => {
      const create = (given: unknown) => rejection(calls.create(untyped<NewCall>(given)))
      assert.strictEqual(
        await create({ ...call, variabels: {} }),
        "Invalid variabels: is not a known field; did you mean variables?"
      )
      assert.strictEqual(
        await create({ ...call, webhook: { urll: "https://example.com" }, to: "12" }),
        "Invalid webhook.urll: is not a known field; did you mean url?; "
          + "to: Must be a phone number in E.164, such as +919876543210, or an Indian number of ten digits; webhook.url: This field is required"
      )
      assert.strictEqual(await create({ to: call.to }), "Invalid agent: Name an agent by its app_id")
      assert.strictEqual(await create(undefined), "Invalid agent: Name an agent by its app_id")
      assert.strictEqual(
        await rejection(attempts.get("none")),
        `NotFound No attempt with the id "none" exists in this workspace`
      )
    }))

  it("in the values of a call name its options, and what would be valid", () =>
    withTrunkline({}, async ({ blockedNumbers, calls }) => {
      const create = (given: unknown) => rejection(calls.create(untyped<NewCall>(given)))
      const number = "Must be a phone number in E.164, such as +919876543210"
      assert.strictEqual(
        await create({ ...call, to: "12" }),
        `Invalid to: ${number}, or an Indian number of ten digits`
      )
      assert.strictEqual(await create({ ...call, from: "12" }), `Invalid from: ${number}`)
      assert.strictEqual(await create({ ...call, version: 0 }), "Invalid version: Must be at least 1")
      assert.match(await create({ ...call, variables: { name: [] } }), /^Invalid variables.name: /)
      assert.match(await create({ ...call, webhook: { url: "nowhere" } }), /^Invalid webhook.url: /)
      assert.match(await create({ ...call, user_identifier: 4 }), /^Invalid user_identifier: /)
      assert.strictEqual(
        await create({ ...call, version: 9 }),
        `RuleViolation version: Version 9 of the agent "reminder" is not committed; committed: 1`
      )
      assert.strictEqual(
        await create({ ...call, line: "none" }),
        `NotFound No line with the id "none" exists in this workspace`
      )
      assert.match(await create({ ...call, from: "+911140000002" }), /^RuleViolation from: /)
      await blockedNumbers.add({ phone_numbers: [call.to] })
      assert.match(await create(call), /^RuleViolation to: /)
    }))

  it("in bodies and queries name the field", () =>
    withTrunkline({}, async ({ campaigns }) => {
      assert.match(await rejection(campaigns.create(untyped({ name: 4 }))), /^Invalid name: /)
      assert.match(await rejection(campaigns.list({ limit: 0 })), /^Invalid limit: /)
    }))

  it("in the options of a method are rejected", () =>
    withTrunkline({}, async ({ calls, campaigns, live }) => {
      const options = untyped<object>({ sginal: AbortSignal.abort() })
      const expected = "Invalid options.sginal: is not a known field; did you mean signal?"
      assert.strictEqual(await rejection(calls.create(call, options)), expected)
      assert.strictEqual(await rejection(campaigns.list({}, options)), expected)
      const [first] = [live(untyped({ campain: "c" }))].map((events) => events[Symbol.asyncIterator]().next())
      assert.strictEqual(
        await rejection(Promise.resolve(first)),
        "Invalid campain: is not a known field; did you mean campaign?"
      )
    }))

  it("in bodies, queries, keys and handlers are rejected", () =>
    withTrunkline({}, async (trunkline) => {
      const { boards, campaigns, credits, deployments, keys } = trunkline
      const named = async (promise: Promise<unknown>, place: string, nearest: string) =>
        assert.include(await rejection(promise), `${place}: is not a known field; did you mean ${nearest}?`)
      const hours = { start_time: "09:00", end_time: "18:00", allowed_days: ["Monday"], time_zone: "UTC" }
      await named(deployments.create(untyped({ inbound_config: hours })), "inbound_config.time_zone", "timezone")
      const allowed_schedule = { time_zone: "America/New_York" }
      await named(campaigns.create(untyped({ allowed_schedule })), "allowed_schedule.time_zone", "timezone")
      await named(boards.create(untyped({ nam: "a" })), "nam", "name")
      await named(campaigns.list(untyped({ campaign_stauts: "active" })), "campaign_stauts", "campaign_status")
      await named(keys.create(untyped({ labell: "desk" })), "labell", "label")
      await named(keys.create(untyped({ acount: "main" })), "acount", "account")
      await named(keys.list(untyped({ acount: "main" })), "acount", "account")
      await named(keys.revoke("k", untyped({ acount: "main" })), "acount", "account")
      await named(credits.balance(untyped({ acount: "main" })), "acount", "account")
      await named(credits.grant(untyped({ micro_credit: 1, reference: "r" })), "micro_credit", "micro_credits")
      await named(trunkline.listen(untyped({ prot: 1 })), "prot", "port")
      const mounts = [trunkline.express, trunkline.node, trunkline.fetch]
      for (const mount of mounts) {
        assert.throws(() => mount(untyped({ prefx: "/a" })), "prefx: is not a known field; did you mean prefix?")
      }
    }))

  it("in grants, usage and workspaces are rejected", () =>
    withTrunkline({}, async ({ accounts, credits }) => {
      assert.match(await rejection(credits.grant({ micro_credits: -5, reference: "r" })), /^Invalid micro_credits/)
      assert.match(
        await rejection(credits.usage({ from: "yesterday", to: "2026-11-30" })),
        /^Invalid from: Must be a day/
      )
      assert.match(await rejection(accounts.putWorkspace(untyped(undefined))), /^Invalid/)
    }))
})

describe("a closed engine", () => {
  it("says so, whatever it is asked for", async () => {
    const trunkline = await withTrunkline({}, async (running) => running)
    const closed = "EngineClosed The engine is closed: it was used after trunkline.close()"
    assert.strictEqual(await rejection(trunkline.calls.create(call)), closed)
    assert.strictEqual(await rejection(trunkline.campaigns.list()), closed)
    assert.strictEqual(await rejection(trunkline.listen({ port: 0 })), closed)
    assert.strictEqual(await rejection(trunkline.live()[Symbol.asyncIterator]().next()), closed)
    assert.throws(() => trunkline.fetch(), "The engine is closed")
  })
})

describe("instances of classes", () => {
  it("serve as models, tools and carriers: their methods keep their object", () => {
    class Words implements PlainModel {
      readonly #text = "Goodbye."
      #asked = 0
      async generate() {
        this.#asked += 1
        return this.#asked === 1
          ? { text: "", toolRequests: [{ id: "1", name: "note", arguments: "{}" }] }
          : { text: this.#text, toolRequests: [{ id: "2", name: "end_call", arguments: "{}" }] }
      }
    }
    class Note implements Tool {
      readonly name = "note"
      readonly description = "Takes a note"
      readonly taken: Array<string> = []
      run() {
        this.taken.push("note")
        return "taken"
      }
    }
    class Studio {
      readonly #said: Array<string> = []
      async place() {
        const say = async ({ text }: { readonly text: string }) => void this.#said.push(text)
        const leg = { say, listen: async () => ({ text: "Yes." }), hangUp: async () => undefined }
        return { provider_call_id: "1", answered: Promise.resolve(leg), cancel: async () => undefined }
      }
      async *offers() {
        this.#said.push("listening")
        yield* []
      }
      said() {
        return this.#said
      }
    }
    const note = new Note()
    const studio = new Studio()
    return withTrunkline({
      agents: [{ ...reminder, tools: [note] }],
      lines: [{ ...line, provider: "studio", carrier: studio }],
      model: new Words(),
      simulator: {}
    }, async ({ calls }) => {
      const { completion_status } = await (await calls.create(call)).ended
      assert.strictEqual(completion_status, "completed")
      assert.deepStrictEqual(note.taken, ["note"])
      assert.includeMembers([...studio.said()], ["listening", "Hello Asha", "Goodbye."])
    })
  })
})
