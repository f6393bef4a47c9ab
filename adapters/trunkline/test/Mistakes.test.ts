import { assert, describe, it } from "@effect/vitest"
import type { NewCall, PlainModel, Tool } from "trunkline"
import { call, line, reminder, withTrunkline } from "./Fixtures.js"

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
      assert.strictEqual(await create({ ...call, variabels: {} }), "Invalid variabels: Is not a known field")
      assert.strictEqual(await create({ to: call.to }), "Invalid agent: Name an agent by its app_id")
      assert.strictEqual(await create(undefined), "Invalid agent: Name an agent by its app_id")
      assert.match(await rejection(attempts.get("none")), /^NotFound/)
    }))

  it("in the options of a method are rejected", () =>
    withTrunkline({}, async ({ calls, campaigns, live }) => {
      const options = untyped<object>({ sginal: AbortSignal.abort() })
      const expected = "Invalid options.sginal: Is not a known field"
      assert.strictEqual(await rejection(calls.create(call, options)), expected)
      assert.strictEqual(await rejection(campaigns.list({}, options)), expected)
      const [first] = [live(untyped({ campain: "c" }))].map((events) => events[Symbol.asyncIterator]().next())
      assert.strictEqual(await rejection(Promise.resolve(first)), "Invalid options.campain: Is not a known field")
    }))

  it("in grants, usage and workspaces are rejected", () =>
    withTrunkline({}, async ({ accounts, credits }) => {
      assert.match(await rejection(credits.grant({ micro_credits: -5, reference: "r" })), /^Invalid body.micro_credits/)
      assert.match(await rejection(credits.usage({ from: "yesterday", to: "2026-11-30" })), /^Invalid body.from/)
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
