import { assert, describe, it } from "@effect/vitest"
import { type TrunklineClient, TrunklineError } from "@trunkline/client"
import { createReadStream } from "node:fs"
import { campaignBody, collect, type Either, withBoth } from "./Program.js"

/** Runs a campaign to its end, and tells what each part of the API said, without ids and times. */
const program = async (trunkline: Either) => {
  const created = await trunkline.campaigns.create(campaignBody("Reminders"))
  const id = created.campaign_id
  const cohort = await trunkline.cohorts.uploadToCampaign(id, {
    name: "People",
    cohort_file: new Blob(["phone,name\n9876543210,Asha\n9876543211,Ravi\n"]),
    cohort_transformation_file: JSON.stringify({
      phone_number: { column_name: "phone" },
      user_identifier: { column_name: "phone" },
      app_variables: { name: { column_name: "name" } }
    })
  })
  const ended: Array<string | null> = []
  for await (const event of trunkline.live({ campaign: id })) {
    if (event.type === "attempt.ended") ended.push(event.connectivity_status)
    if (ended.length === 2) break
  }
  const later = await trunkline.campaigns.create(campaignBody("Later"))
  const paused = await trunkline.campaigns.updateStatus(later.campaign_id, { action: "pause" })
  const call = await trunkline.calls.create({ agent: "reminder", version: 1, to: "+919876543212" })
  const { app_version, completion_status } = await call.ended
  const numbers = Array.from({ length: 5 }, (_, index) => `+91987654330${index}`)
  await trunkline.blockedNumbers.add({ phone_numbers: numbers })
  const blocked = await collect(trunkline.blockedNumbers.list({ limit: 2 }))
  const board = await trunkline.boards.create({ name: "Calls" })
  const { schema } = { schema: await trunkline.boards.schema() }
  const removed = await trunkline.boards.remove(board.id)
  const missing = await trunkline.campaigns.get("camp-000000000000").catch((error: Error) => error.message)
  const invalid = await trunkline.blockedNumbers.add({ phone_numbers: ["12"] }).catch((error: unknown) =>
    Reflect.get(Object(error), "issues")
  )
  return {
    created: created.status,
    cohort: cohort.name,
    ended,
    paused: paused.status,
    call: { app_version, completion_status },
    blocked: blocked.map(({ phone_number }) => phone_number).sort(),
    tables: Object.keys(schema),
    removed: removed.deleted,
    missing: String(missing).replace(/\w+-\d+/, ""),
    invalid
  }
}

/** Streams a chat, and reads it whole. */
const conversation = async ({ chat, responses }: Pick<TrunklineClient, "chat" | "responses">) => {
  const body = { model: "core-105b", messages: [{ role: "user", content: "Hello" }] } as const
  const whole = await chat.create(body)
  const chunks = await collect(await chat.create({ ...body, stream: true }))
  const events = await collect(await responses.create({ model: "core-105b", input: "Hello", stream: true }))
  return {
    whole: whole.choices[0]?.message.content,
    streamed: chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join(""),
    events: events.map(({ type }) => type)
  }
}

describe("a program over the client", () => {
  it("does what it does over an engine in its process", async () => {
    const local = await withBoth(({ engine }) => program(engine))
    const remote = await withBoth(({ client }) => program(client))
    assert.deepStrictEqual(remote, local)
    assert.deepStrictEqual(remote.ended, ["connected", "connected"])
    assert.strictEqual(remote.blocked.length, 5)
  })

  it("streams chats and responses alike", () =>
    withBoth(async ({ client, engine }) => {
      const remote = await conversation(client)
      assert.deepStrictEqual(remote, await conversation(Object(engine)))
      assert.strictEqual(remote.streamed, remote.whole)
      assert.strictEqual(remote.events.at(-1), "response.completed")
    }))

  it("uploads a clip as it is read, and hears its voice as bytes that come", () =>
    withBoth(async ({ client }) => {
      const file = createReadStream("docs/sounds/reference.wav")
      const { voice_id } = await client.voices.create({ name: "Asha", language: "en-IN", ref_text: "Hello", file })
      const text = { text: "Hello", language_code: "en-IN", output_audio_codec: "wav" } as const
      const spoken = await client.voices.speak({ ...text, voice_id })
      assert.strictEqual(spoken.contentType, "audio/wav")
      assert.isAbove((await spoken.bytes()).length, 44)
    }))

  it("has the names of the engine's methods", () =>
    withBoth(async ({ client, engine }) => {
      for (const [resource, methods] of Object.entries(client)) {
        const own: unknown = Reflect.get(engine, resource)
        assert.sameMembers(Object.keys(methods), Object.keys(Object(own)), resource)
      }
    }))

  it("fails with the code, the status, the request and the fields", () =>
    withBoth(async ({ client }) => {
      const failed = async (work: Promise<unknown>) => {
        const error = await work.then(() => assert.fail("It succeeded"), (error: unknown) => error)
        assert.instanceOf(error, TrunklineError)
        assert.match(error.requestId ?? "", /^\d{8}_/)
        return { code: error.code, status: error.status, loc: error.issues[0]?.loc }
      }
      assert.deepStrictEqual(await failed(client.campaigns.get("camp-000000000000")), {
        code: "not_found_error",
        status: 404,
        loc: undefined
      })
      const boards = await failed(client.boards.create({ name: "" }))
      assert.deepStrictEqual(boards, { code: "validation_error", status: 422, loc: ["name"] })
      const chat = await failed(client.chat.create({ model: "core-105b", messages: [], temperature: 9 }))
      assert.deepStrictEqual([chat.status, chat.loc?.[0]], [400, "messages"])
      const calls = await failed(client.calls.create({ agent: "reminder", version: 7, to: "+919876543210" }))
      assert.deepStrictEqual(calls.loc, ["version"])
      const key = await failed(client.campaigns.list({}, { workspace: "other/main" }))
      assert.strictEqual(key.status, 403)
    }))

  it("stops a stream and a wait where its signal aborts", () =>
    withBoth(async ({ client }) => {
      const stopping = new AbortController()
      const live = collect(client.live({ signal: stopping.signal }))
      const reason = new Error("enough")
      stopping.abort(reason)
      assert.deepStrictEqual(await live, [])
      const listed = client.campaigns.list({}, { signal: stopping.signal })
      assert.strictEqual(await listed.catch((error: unknown) => error), reason)
    }))
})
