import { assert, describe, it } from "@effect/vitest"
import { operations } from "@trunkline/http-api"
import { Effect, Runtime } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Failure, TrunklineOptions } from "trunkline"
import type {} from "trunkline/effect"
import { resourceTable } from "../src/promises/ResourceTable.js"
import { call, collect, withTrunkline } from "./Fixtures.js"

/** Operations that only make sense over HTTP, and live events, which are `trunkline.live`. */
const httpOnly = [
  "service.health",
  "service.live",
  "service.ready",
  "service.openapi",
  "service.docs",
  "carrierEvents.receive",
  "carrierEvents.ask",
  "carrierEvents.stream",
  "calls.live",
  "browserCalls.open",
  "responses.get"
]

describe("resources", () => {
  it("are all operations of the HTTP interface", () =>
    withTrunkline({}, async ({ effect }) => {
      const all = await Runtime.runPromise(effect.runtime)(operations)
      const offered = Object.values(resourceTable).flatMap((methods): ReadonlyArray<string> => Object.values(methods))
      const missing = all.map(({ name }) => name).filter((name) => !offered.includes(name))
      assert.sameMembers(missing, httpOnly)
    }))

  it("have the names of their operations, whose tabs, widgets, filters, cohorts and completions are resources", () => {
    /** Words of a name, without plurals and prepositions. */
    const wordsOf = (name: string): ReadonlyArray<string> =>
      name.split(/\.|(?=[A-Z])/).map((word) => word.toLowerCase().replace(/s$/, "")).filter((word) =>
        !["to", "of"].includes(word)
      )
    for (const [resource, methods] of Object.entries(resourceTable)) {
      for (const [method, id] of Object.entries(methods)) {
        const name = `${resource}.${method}`
        // `trunkline.calls` is written by hand over this one.
        if (resource === "browserCalls") assert.strictEqual(id, "calls.talk")
        else if (id.split(".").length === 2) assert.strictEqual(id, name)
        else assert.includeMembers([...wordsOf(id)], [...wordsOf(name)], name)
      }
    }
  })

  it("reject with the failure itself, which tells what is wrong", () =>
    withTrunkline({}, async (trunkline) => {
      const missing = await trunkline.campaigns.get("camp-000000000000").catch((error: unknown) => error)
      assert.instanceOf(missing, Error)
      assert.strictEqual(Reflect.get(missing, "_tag"), "NotFound")
      const invalid = await trunkline.blockedNumbers.add({ phone_numbers: ["12"] }).catch((error: unknown) => error)
      assert.instanceOf(invalid, Error)
      assert.strictEqual(Reflect.get(invalid, "_tag"), "Invalid")
      assert.deepStrictEqual(Reflect.get(invalid, "issues")[0].loc, ["phone_numbers", 0])
    }))

  it("reject with the reason of a signal that has aborted", () =>
    withTrunkline({}, async (trunkline) => {
      const signal = AbortSignal.abort(new Error("stop"))
      const rejected = await trunkline.boards.get("b", { signal }).catch((error: Error) => error.message)
      assert.strictEqual(rejected, "stop")
    }))

  it("stream chat completions", () =>
    withTrunkline({}, async (trunkline) => {
      const body = { model: "core-105b", messages: [{ role: "user", content: "Hello" }] } as const
      const whole = await trunkline.chat.create(body)
      const chunks = await collect(await trunkline.chat.create({ ...body, stream: true }))
      const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")
      assert.strictEqual(text, whole.choices[0]?.message.content)
    }))

  it("upload a cohort and run a campaign over it", () =>
    withTrunkline({}, async (trunkline) => {
      const now = Date.now()
      const campaign = await trunkline.campaigns.create({
        name: "Reminders",
        app_config: {
          app_id: "reminder",
          app_version: 1,
          connection_configs: [{ connection_id: "line", phone_numbers: ["+911140000001"] }]
        },
        start_timestamp: new Date(now - 60_000),
        end_timestamp: new Date(now + 86_400_000_000),
        allowed_schedule: {
          allowed_start_time: "00:00",
          allowed_end_time: "24:00",
          allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        }
      })
      const cohort = await trunkline.cohorts.uploadToCampaign(campaign.campaign_id, {
        name: "People",
        cohort_file: "phone,name\n9876543210,Asha\n9876543211,Ravi\n",
        cohort_transformation_file: JSON.stringify({
          phone_number: { column_name: "phone" },
          user_identifier: { column_name: "phone" },
          app_variables: { name: { column_name: "name" } }
        })
      })
      assert.strictEqual(cohort.name, "People")
      const ended: Array<string | null> = []
      for await (const event of trunkline.live({ campaign: campaign.campaign_id })) {
        if (event.type === "attempt.ended") ended.push(event.connectivity_status)
        if (ended.length === 2) break
      }
      assert.deepStrictEqual(ended, ["connected", "connected"])
    }))
})

describe("responses", () => {
  const body = { model: "core-105b", input: "Hello", text: {} } as const

  it("reject a text without a format, or read it as plain text where the options say so", async () => {
    const answer = (responses?: TrunklineOptions["responses"]) =>
      withTrunkline(
        { ...(responses !== undefined && { responses }) },
        async ({ responses }) =>
          responses.create(JSON.parse(JSON.stringify(body))).then(() => "answered", (error: Failure) => error._tag)
      )
    assert.strictEqual(await answer(), "Invalid")
    assert.strictEqual(await answer({ textWithoutFormat: "plain" }), "answered")
  })
})

describe("handlers of a running engine", () => {
  it("serve the same engine to Node, fetch and Express, and leave other paths to the host", () =>
    withTrunkline({}, async (trunkline) => {
      const key = await trunkline.keys.create()
      const headers = { "api-subscription-key": key.key }
      const path = "/v1/orgs/main/workspaces/main/blocked-numbers"
      await trunkline.blockedNumbers.add({ phone_numbers: ["+919876543211"] })

      const { GET } = trunkline.fetch({ prefix: "/voice" })
      const fetched = await GET(new Request(`http://host/voice${path}`, { headers }))
      assert.propertyVal(await fetched.json(), "total", 1)

      const express = trunkline.express({ prefix: "/voice" })
      const server = createServer((request, response) => {
        express(Object.assign(request, { baseUrl: "" }), response, () => response.end("mine"))
      }).listen(0, "127.0.0.1")
      await once(server, "listening")
      const { port } = server.address() as AddressInfo
      const own = await fetch(`http://127.0.0.1:${port}/about`)
      assert.strictEqual(await own.text(), "mine")
      const listed = await fetch(`http://127.0.0.1:${port}/voice${path}`, { headers })
      assert.propertyVal(await listed.json(), "total", 1)
      server.close()
      server.closeAllConnections()

      const { close, url } = await trunkline.listen({ port: 0 })
      assert.strictEqual((await fetch(`${url}/health`)).status, 200)
      await close()
    }))

  it("give calls and services of the engine to Effect", () =>
    withTrunkline({}, async (trunkline) => {
      const { Engine } = await import("trunkline/effect")
      const { ended } = await trunkline.calls.create(call)
      await ended
      const { ready } = await Runtime.runPromise(trunkline.effect.runtime)(
        Effect.flatMap(Engine, ({ health }) => health)
      )
      assert.isTrue(ready)
    }))
})
