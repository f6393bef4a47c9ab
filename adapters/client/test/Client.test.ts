import { assert, describe, it } from "@effect/vitest"
import { createClient, TrunklineError } from "@trunkline/client"
import { collect } from "./Program.js"
import { answering, eventStream, json } from "./Served.js"

const failure = async (work: Promise<unknown>): Promise<TrunklineError> => {
  const error = await work.then(() => assert.fail("It succeeded"), (error: unknown) => error)
  assert.instanceOf(error, TrunklineError)
  return error
}

const page = json(200, { items: [], total: 0, limit: 20, offset: 0 })
const busy = (status: number) =>
  json(status, { error: { message: "busy", code: "overloaded" } }, { "retry-after": "0" })
const faulty = json(500, { error: { message: "oops", code: "internal_server_error", request_id: "r-1" } })

describe("a request", () => {
  it("has the key, the workspace, the ids and the query in their places", async () => {
    const { client, sent } = answering([page])
    await client.campaigns.contacts("a/b?c", { limit: 5, state: "waiting", search: "é&" })
    await client.analytics.attempts("app", { start_datetime: new Date(0), end_datetime: "2026-01-01T00:00:00Z" })
    const [contacts, attempts] = sent
    const base = "https://voice.example.com/voice"
    assert.strictEqual(
      contacts?.url,
      `${base}/v1/orgs/acme/workspaces/main/campaigns/a%2Fb%3Fc/contacts?limit=5&state=waiting&search=%C3%A9%26`
    )
    assert.strictEqual(contacts?.headers.get("api-subscription-key"), "sk_test_a_b")
    assert.strictEqual(
      attempts?.url,
      `${base}/analytics/v1/acme/main/app/attempts?start_datetime=1970-01-01T00%3A00%3A00.000Z&end_datetime=2026-01-01T00%3A00%3A00Z`
    )
  })

  it("is not sent with an id that would lead elsewhere, an unknown option or a workspace of another form", async () => {
    const { client, sent } = answering([page])
    for (const id of ["", ".", "..", JSON.parse("7")]) {
      const { issues } = await failure(client.campaigns.get(id))
      assert.deepStrictEqual(issues[0]?.loc, ["campaign_id"])
    }
    const unknown = JSON.parse(`{ "worksapce": "a/b" }`)
    for (const options of [unknown, { workspace: "main" }, { workspace: "a/.." }]) {
      const error = await client.campaigns.list({}, options).catch((error: unknown) => error)
      assert.instanceOf(error, TypeError)
    }
    assert.isEmpty(sent)
  })

  it("reads pages until the last one", async () => {
    const of = (from: number) => json(200, { items: [from, from + 1], total: 5, limit: 2, offset: from })
    const { client, sent } = answering([of(0), of(2), json(200, { items: [4], total: 5, limit: 2, offset: 4 })])
    assert.deepStrictEqual<unknown>(await collect(client.blockedNumbers.list({ limit: 2 })), [0, 1, 2, 3, 4])
    assert.deepStrictEqual(sent.map(({ url }) => new URL(url).searchParams.get("offset")), [null, "2", "4"])
  })
})

describe("retries", () => {
  it("repeat what only reads, after a failure that may pass", async () => {
    const { client, sent } = answering([() => new TypeError("reset"), busy(503), page])
    await client.campaigns.list()
    assert.strictEqual(sent.length, 3)
  })

  it("repeat what changes something only where the server has not begun with it", async () => {
    const body = { phone_numbers: ["+919876543210"] }
    for (const status of [429, 503]) {
      const { client, sent } = answering([busy(status), json(200, { items: [] })])
      await client.blockedNumbers.add(body)
      assert.strictEqual(sent.length, 2)
    }
    for (const answer of [() => new TypeError("reset"), faulty, json(503, {}), json(429, {})]) {
      const { client, sent } = answering([answer])
      await failure(client.blockedNumbers.add(body))
      assert.strictEqual(sent.length, 1)
    }
  })

  it("end after two, and do not wait for longer than a minute", async () => {
    const { client, sent } = answering([busy(429)])
    assert.strictEqual((await failure(client.campaigns.list())).status, 429)
    assert.strictEqual(sent.length, 3)
    const later = answering([json(429, {}, { "retry-after": "61" })])
    assert.strictEqual((await failure(later.client.campaigns.list())).retryAfter, 61)
    assert.strictEqual(later.sent.length, 1)
  })

  it("send no stream twice", async () => {
    async function* bytes() {
      yield new Uint8Array([1])
    }
    const { client, sent } = answering([busy(503)])
    await failure(client.voices.create({ name: "a", language: "en-IN", file: bytes() }))
    assert.strictEqual(sent.length, 1)
  })
})

describe("failures", () => {
  it("are read from each of the three envelopes", async () => {
    const read = async (answer: () => Response) => {
      const { code, issues, message, requestId } = await failure(answering([answer]).client.boards.create({ name: "" }))
      return { code, message, requestId, loc: issues.map(({ loc }) => loc) }
    }
    const detail = [{ loc: ["body", "name"], msg: "is missing", type: "missing" }]
    const id = { "x-request-id": "r-2" }
    assert.deepStrictEqual(
      await read(json(422, { detail, error: { message: "Invalid", code: "unprocessable", request_id: "r-1" } }, id)),
      { code: "unprocessable", message: "Invalid", requestId: "r-1", loc: [["name"]] }
    )
    assert.deepStrictEqual(await read(json(422, { detail }, id)), {
      code: "validation_error",
      message: "name: is missing",
      requestId: "r-2",
      loc: [["name"]]
    })
    const error = { message: "Too hot", code: "invalid_request_error", type: "invalid", param: "messages.0.content" }
    assert.deepStrictEqual(await read(json(400, { error: { ...error, request_id: "r-3" } })), {
      code: "invalid_request_error",
      message: "Too hot",
      requestId: "r-3",
      loc: [["messages", 0, "content"]]
    })
    assert.deepStrictEqual(await read(json(404, { error: { code: "NOT_FOUND", message: "No board" } }, id)), {
      code: "NOT_FOUND",
      message: "No board",
      requestId: "r-2",
      loc: []
    })
  })

  it("name a proxy's page, a page of another server, a broken connection and a late answer", async () => {
    const html = () => new Response("<html>", { status: 502, headers: { "content-type": "text/html" } })
    const { client } = answering([html])
    assert.include(await failure(client.erasures.create({ user_identifier: "a" })), {
      code: "invalid_answer",
      status: 502
    })
    const other = answering([() => new Response("<html>")])
    assert.include(await failure(other.client.erasures.create({ user_identifier: "a" })), {
      code: "invalid_answer",
      status: 200
    })
    const cause = new TypeError("reset")
    const broken = answering([() => cause])
    assert.include(await failure(broken.client.erasures.create({ user_identifier: "a" })), {
      code: "connection_failed",
      cause
    })
    const late = answering([() => "never"], { timeout: 5 })
    assert.include(await failure(late.client.erasures.create({ user_identifier: "a" })), {
      code: "timeout",
      status: null
    })
    const own = answering([() => "never"])
    assert.strictEqual(
      (await failure(own.client.erasures.create({ user_identifier: "a" }, { timeout: 5 }))).code,
      "timeout"
    )
  })

  it("give way to the reason of a signal, also while a retry waits", async () => {
    const stopping = new AbortController()
    const { client } = answering([() => {
      stopping.abort("enough")
      return json(503, {}, { "retry-after": "30" })()
    }])
    const listed = client.campaigns.list({}, { signal: stopping.signal })
    assert.strictEqual(await listed.catch((error: unknown) => error), "enough")
  })
})

describe("event streams", () => {
  const chat = { model: "core-105b", messages: [{ role: "user", content: "Hello" }], stream: true } as const

  it("are read in whatever pieces they come", async () => {
    const text =
      `: beat\r\n\r\ndata: {"n":1}\r\n\r\nevent: x\ndata: {"n":\ndata: "é"}\n\ndata:{"n":3}\n\ndata: [DONE]\n\n`
    const bytes = new TextEncoder().encode(text)
    for (const size of [1, 2, 7, bytes.length]) {
      const pieces = Array.from(
        { length: Math.ceil(bytes.length / size) },
        (_, at) => bytes.slice(at * size, (at + 1) * size)
      )
      const { client } = answering([
        () => new Response(new Blob(pieces).stream(), { headers: { "content-type": "text/event-stream" } })
      ])
      assert.deepStrictEqual<unknown>(await collect(await client.chat.create(chat)), [{ n: 1 }, { n: "é" }, { n: 3 }])
    }
  })

  it("throw the failure that they report, and that of a connection that breaks", async () => {
    const error = { message: "The model failed", code: "model_failed", request_id: "r-1" }
    const reported = answering([eventStream(`data: {"n":1}\n\n`, `data: ${JSON.stringify({ error })}\n\n`)])
    assert.include(await failure(collect(await reported.client.chat.create(chat))), {
      code: "model_failed",
      requestId: "r-1"
    })
    const broken = answering([eventStream(`data: {"n":1}\n\n`, new TypeError("reset"))])
    assert.strictEqual((await failure(collect(await broken.client.chat.create(chat)))).code, "connection_failed")
  })

  it("are cancelled by leaving the loop", async () => {
    let isCancelled = false
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(`data: {"type":"missed","count":1}\n\n`)),
      cancel: () => {
        isCancelled = true
      }
    })
    const { client } = answering([() => new Response(body, { headers: { "content-type": "text/event-stream" } })])
    for await (const { type } of client.live()) {
      assert.strictEqual(type, "missed")
      break
    }
    assert.isTrue(isCancelled)
  })
})

describe("createClient", () => {
  const good = { baseUrl: "https://voice.example.com", apiKey: "sk_test_a_b" }

  it("says which option is missing, unknown or wrong", () => {
    const mistakes: ReadonlyArray<readonly [given: string, message: RegExp]> = [
      [`{ "baseUrl": "voice.example.com" }`, /baseUrl must be the URL/],
      [`{ "baseUrl": "ftp://voice.example.com" }`, /baseUrl must be the URL/],
      [`{ "baseUrl": "https://voice.example.com?a=1" }`, /no query/],
      [`{ "apiKey": "" }`, /apiKey is missing/],
      [`{ "apiKey": "sk live" }`, /no key has/],
      [`{ "workspace": "main" }`, /org\/workspace/],
      [`{ "timeout": 0 }`, /timeout must be/],
      [`{ "maxRetries": -1 }`, /maxRetries must be/],
      [`{ "url": "https://voice.example.com" }`, /no option url; the options are baseUrl/]
    ]
    for (const [given, message] of mistakes) {
      assert.throws(() => createClient({ ...good, ...JSON.parse(given) }), message)
    }
  })
})
