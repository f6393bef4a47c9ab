import { assert, describe, it } from "@effect/vitest"
import { completeForm, outboundBody } from "../Bodies.js"
import { type SendOptions, sendRequest, type TestResponse } from "../Client.js"
import { allowance, type Customer, keyOf } from "../engines/Customers.js"
import { livePath, watches } from "../Live.js"
import { probing } from "../Probe.js"
import { served, type Way } from "../Ways.js"

const range = "?start_datetime=2026-01-01T00:00:00Z&end_datetime=2026-02-01T00:00:00Z"

/** A request for every rate limit, in a workspace of a customer. */
const families = {
  deployments: { path: "/v1/orgs/{customer}/workspaces/{room}/deployments" },
  campaigns: { path: "/v1/orgs/{customer}/workspaces/{room}/campaigns" },
  cohorts: { path: "/v1/orgs/{customer}/workspaces/{room}/campaigns/camp-1/cohorts" },
  outbounds: { path: "/v1/orgs/{customer}/workspaces/{room}/outbounds", method: "POST", body: {} },
  analytics: { path: `/analytics/v1/{customer}/{room}/collections/attempts${range}` }
} as const

type Family = keyof typeof families

/** Rate limits of requests and connections. Raw HTTP, since its subject is the wire: headers, envelopes and the order of checks. */
export const limitsSuite = (way: Way) =>
  describe(`limits over ${way.name}`, () => {
    const probe = probing()
    const server = served(way, "limited")

    const send = (
      customer: Customer,
      family: Family,
      change: SendOptions & { readonly room?: "main" | "side" } = {}
    ) => {
      const { room = "main", ...sending } = change
      const { path, ...rest } = families[family]
      return sendRequest(server, path.replace("{customer}", customer).replace("{room}", room), {
        key: keyOf(customer, room),
        ...rest,
        ...sending
      })
    }

    const spend = async (customer: Customer, family: Family) => {
      for (let spentCount = 0; spentCount < allowance; spentCount++) {
        assert.notStrictEqual((await send(customer, family)).status, 429)
      }
    }

    const refuses = ({ headers, json, status, text }: TestResponse) => {
      assert.strictEqual(status, 429, text)
      assert.strictEqual(json.error.code, "rate_limit_exceeded_error")
      assert.strictEqual(json.error.request_id, headers.get("x-request-id"))
      assert.match(headers.get("retry-after") ?? "", /^([1-9]|[1-5]\d|60)$/)
    }

    it.each(Object.keys(families) as ReadonlyArray<Family & Customer>)(
      "reject requests over the limit: %s",
      async (family) => {
        await spend(family, family)
        refuses(await send(family, family))
        for (const other of Object.keys(families) as ReadonlyArray<Family>) {
          if (other !== family) assert.notStrictEqual((await send(family, other)).status, 429)
        }
      }
    )

    it("admit no more concurrent requests than allowed, and do not charge rejected ones", async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, () => send("atonce", "deployments")))
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, allowance)
      answers.filter(({ status }) => status !== 200).forEach(refuses)
      refuses(await send("atonce", "deployments"))
    })

    it("are shared by all keys of an account, and by no other account", async () => {
      await send("shared", "deployments")
      await send("shared", "deployments", { room: "side" })
      await send("shared", "deployments")
      refuses(await send("shared", "deployments"))
      refuses(await send("shared", "deployments", { room: "side" }))
      await spend("untouched", "deployments")
    })

    it("are checked after the size and the key, and before the content type and the body", async () => {
      const large = JSON.stringify({ name: "x".repeat(2_000_000) })
      const post = { method: "POST", body: way.host?.parsesJson ? "[]" : "{" }
      const declared = (key: string | null) => send("order", "deployments", { ...post, key, body: large })
      assert.strictEqual((await send("order", "deployments", post)).status, 422)
      assert.strictEqual((await send("order", "deployments", post)).status, 422)
      for (const key of [null, "sk_test_order_unknown"]) {
        assert.strictEqual((await send("order", "deployments", { ...post, key })).status, 403)
        assert.strictEqual((await declared(key)).status, 413)
      }
      assert.strictEqual((await send("order", "deployments", { ...post, key: keyOf("order", "side") })).status, 403)
      assert.strictEqual((await declared(keyOf("order"))).status, 413)
      const typed = { ...post, headers: { "content-type": "text/plain" } }
      assert.strictEqual((await send("order", "deployments", typed)).status, 415)
      refuses(await send("order", "deployments", post))
      refuses(await send("order", "deployments", typed))
      assert.strictEqual((await declared(keyOf("order"))).status, 413)
      assert.strictEqual((await send("order", "deployments", { ...post, key: null })).status, 403)
    })

    it("do not apply to routes without a key, nor to unknown paths", async () => {
      const { path } = families.deployments
      for (let askedCount = 0; askedCount <= allowance; askedCount++) {
        for (const [method, status] of [["OPTIONS", 204], ["PURGE", 405]] as const) {
          assert.strictEqual((await sendRequest(server, path, { method, key: keyOf("free") })).status, status)
        }
        assert.strictEqual((await sendRequest(server, "/health", { key: keyOf("free") })).status, 200)
      }
      await spend("free", "deployments")
      refuses(await send("free", "deployments", { method: "GET" }))
      assert.strictEqual((await send("free", "deployments", { method: "HEAD" })).status, 429)
    })

    it("reject an upload without reading it", async () => {
      await spend("uploads", "cohorts")
      const body = completeForm()
      body.append("surplus", new Blob(["x".repeat(20_000_000)]))
      const path = "/v1/orgs/uploads/workspaces/main/campaigns/camp-1/cohorts/upload"
      refuses(await sendRequest(server, path, { method: "POST", body, key: keyOf("uploads") }))
    })

    describe.each(watches.filter(({ socket }) => way.webSockets || !socket))("of connections by $by", (by) => {
      const { isTooMany, socket, watch } = by
      const watching = (customer: Customer) => ({ key: keyOf(customer), path: livePath("main", customer) })

      it("reject one connection too many, and accept another when one has closed", async () => {
        const customer = socket ? "sockets" : "events"
        const held = [await watch(server, watching(customer)), await watch(server, watching(customer))]
        assert.isTrue(await isTooMany(server, watching(customer)))
        held.shift()?.leave()
        await probe.reported(`${customer} freed`)
        held.push(await watch(server, watching(customer)))
        await send(customer, "outbounds", { body: outboundBody })
        for (const { leave, next } of held) {
          assert.strictEqual((await next()).type, "attempt.started")
          leave()
        }
        await probe.reported(`${customer} freed`, 3)
      })

      it("reject a burst of short connections", async () => {
        const customer = socket ? "manysockets" : "manyevents"
        let opened = 0
        while (!(await isTooMany(server, watching(customer)))) {
          opened += 1
          await probe.reported(`${customer} freed`, opened)
        }
        assert.isAtLeast(opened, 5)
      })
    })

    it("release the connection of a HEAD request", async () => {
      const { status } = await sendRequest(server, livePath("main", "head"), { method: "HEAD", key: keyOf("head") })
      assert.strictEqual(status, 200)
      await probe.reported("head freed")
    })
  })
