import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { HttpRequest, type ToolCall } from "@trunkline/agents"
import { GuardedHttp, type GuardOptions, httpTool } from "@trunkline/http-client/guarded"
import { AppId, AttemptId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { Effect, Schema } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

let last: Seen | undefined
let answer: { status: number; type: string; body: string; location?: string } = { status: 200, type: "", body: "" }

const server = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => body += chunk.toString())
  request.on("end", () => {
    last = { method: request.method, url: request.url, headers: request.headers, body }
    const { body: text, location, status, type } = answer
    response.writeHead(status, { "content-type": type, ...(location !== undefined && { location }) }).end(text)
  })
})
let base = ""
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address() as AddressInfo
  base = `http://127.0.0.1:${address.port}`
})
afterAll(() => void server.close())

const decode = Schema.decodeUnknownSync(HttpRequest)

const call: ToolCall = {
  attempt_id: AttemptId.make("00000000-0000-7000-8000-000000000000"),
  scope: new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") }),
  app_id: AppId.make("desk"),
  app_version: 1,
  direction: "inbound",
  user_phone_number: PhoneNumber.make("+919800000001"),
  agent_phone_number: PhoneNumber.make("+911140000001"),
  variables: { customer: "C 7" },
  language_name: "English",
  digits: {}
}

const open: GuardOptions = { allowInsecureUrls: true, allowPrivateUrls: true }

/** Uses a tool: its content and variables, or the message of its failure. */
const use = (request: unknown, input: unknown = {}, guard: GuardOptions = open) =>
  Effect.runPromise(
    Effect.flatMap(
      GuardedHttp,
      ({ send }) => httpTool(decode(request), { send, secrets: { crm: "s3cret-token" } })(input, call)
    ).pipe(
      Effect.catchAll(({ kind, message }) => Effect.succeed({ failed: message, kind })),
      Effect.provide(GuardedHttp.layer(guard))
    )
  )

const json = (value: unknown, status = 200) => {
  answer = { status, type: "application/json", body: JSON.stringify(value) }
}

describe("a tool over HTTP", () => {
  it("fills its URL, query, headers and body", async () => {
    json({ slots: [{ time: "20:00" }], id: 7 })
    const result = await use({
      method: "PUT",
      url: `${base}/orders/{{args.id}}?x=1`,
      query: { customer: "{{variables.customer}}", none: "{{args.none}}" },
      headers: { Authorization: "Bearer {{secrets.crm}}" },
      body: {
        people: "{{args.people}}",
        note: "for {{call.user_phone_number}}",
        gone: "{{args.gone}}",
        list: ["{{args.id}}"]
      },
      answer: { pick: { time: "slots.0.time" }, set: { booking: "id" } }
    }, { id: "a/b", people: 2 })
    assert.deepStrictEqual(result, { content: "{\"time\":\"20:00\"}", set: { booking: 7 } })
    assert.strictEqual(last?.method, "PUT")
    assert.strictEqual(last?.url, "/orders/a%2Fb?x=1&customer=C+7")
    assert.strictEqual(last?.headers.authorization, "Bearer s3cret-token")
    assert.deepStrictEqual(JSON.parse(last?.body ?? ""), {
      people: 2,
      note: `for ${call.user_phone_number}`,
      list: ["a/b"]
    })
  })

  it("sends the arguments where it has no body, and none with GET", async () => {
    json({})
    await use({ url: base }, { a: [1] })
    assert.strictEqual(last?.body, "{\"a\":[1]}")
    await use({ method: "GET", url: base }, { a: 1 })
    assert.deepStrictEqual([last?.body, last?.headers["content-type"]], ["", undefined])
  })

  it("tells the model of a status, of an answer that is not as declared, and of one that is too long", async () => {
    json({ error: "no table for s3cret-token" }, 409)
    assert.deepInclude(await use({ url: base }), {
      failed: "The service answered 409: {\"error\":\"no table for ***\"}"
    })
    answer = { status: 200, type: "text/plain", body: "free" }
    assert.deepInclude(await use({ url: base, answer: { pick: { a: "a" } } }), {
      failed: "The service's answer is not JSON."
    })
    assert.deepInclude(await use({ url: base }), { content: "free" })
    json({ id: "x" })
    const declared = { type: "object", properties: { id: { type: "integer" } } }
    const { failed } = Object(await use({ url: base, answer: { schema: declared } }))
    assert.match(failed, /^The service's answer is not as declared: .*id/)
    answer = { status: 200, type: "text/plain", body: "x".repeat(2_000) }
    assert.match(Object(await use({ url: base, max_bytes: 1_000 })).failed, /^The service's answer is too long/)
    answer = { status: 200, type: "text/plain", body: "x".repeat(20_000) }
    assert.match(Object(await use({ url: base })).content, /… \(cut, of 20000 characters\)$/)
  })

  it("follows no redirect, and reaches no private address unless that is allowed", async () => {
    answer = { status: 302, type: "", body: "", location: `${base}/inner` }
    assert.match(Object(await use({ url: `${base}/outer` })).failed, /redirect, which is not followed/)
    assert.strictEqual(last?.url, "/outer")
    assert.match(Object(await use({ url: base }, {}, { allowInsecureUrls: true })).failed, /^The service failed: /)
  })

  it("takes no argument that would leave its path or break its headers", async () => {
    for (const request of [{ url: `${base}/a/{{args.id}}/b` }, { url: base, headers: { "x-id": "{{args.header}}" } }]) {
      last = undefined
      const { failed, kind } = Object(await use(request, { id: "..", header: "a\r\nb: c" }))
      assert.deepStrictEqual([kind, last], ["arguments", undefined])
      assert.match(failed, /^The arguments are wrong: /)
    }
  })

  it("is rejected with an unknown reference, a host with a variable, or another scheme", () => {
    for (const url of ["https://{{args.host}}/", "https://a.example/{{city}}", "ftp://a.example/", "/path"]) {
      assert.throws(() => decode({ url }), /Must be|host cannot|is unknown/)
    }
    assert.throws(() => decode({ url: "https://a.example", body: { x: ["{{call.secret}}"] } }), /is unknown/)
  })

  it("tells the model of half a character, and of what no address can hold", async () => {
    const half = await use({ url: `${base}/{{args.x}}`, method: "GET" }, { x: "a\ud800" })
    assert.deepStrictEqual(half, { failed: "The arguments are wrong: x has half a character", kind: "arguments" })
    answer = { status: 200, type: "application/json", body: "{}" }
    assert.notProperty(
      await use({ url: `${base}/x`, method: "GET", query: { q: "{{args.x}}" } }, { x: "\ud800" }),
      "failed"
    )
  })

  it("fails clearly on an answer that is nested beyond all measure", async () => {
    answer = { status: 200, type: "application/json", body: `${"[".repeat(30_000)}${"]".repeat(30_000)}` }
    const failed = "The service's answer is nested too deeply."
    assert.deepInclude(await use({ url: `${base}/x`, method: "GET", answer: { pick: { a: "0" } } }), { failed })
    assert.deepInclude(await use({ url: `${base}/x`, method: "GET", answer: { schema: { type: "array" } } }), {
      failed
    })
    assert.notProperty(await use({ url: `${base}/x`, method: "GET" }), "failed")
  })
})
