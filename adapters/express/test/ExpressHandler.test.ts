import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type ExpressHandler, toExpressHandler } from "@trunkline/express"
import { testEngine, testKeys } from "@trunkline/http-api/testing"
import { Layer, Logger } from "effect"
import express from "express"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { gzipSync } from "node:zlib"

type Request = IncomingMessage & { body?: unknown }
type Middleware = (request: Request, response: ServerResponse, next: (error?: unknown) => void) => void
type App = ReturnType<typeof express>

const workspace = "/v1/orgs/acme/workspaces/main"
const deployments = `${workspace}/deployments`
const key = { "api-subscription-key": testKeys.main }

const call = (version: unknown = 1) =>
  JSON.stringify({
    app_config: {
      app_id: "collections",
      app_version: version,
      connection_config: { connection_id: "sim-1", agent_phone_number: "+911140000003" }
    },
    user_config: { user_phone_number: "+919876543210" }
  })

const campaign = JSON.stringify({
  name: "June",
  app_config: {
    app_id: "collections",
    app_version: 1,
    connection_configs: [{ connection_id: "sim-1", phone_numbers: ["+911140000003"] }]
  },
  start_timestamp: "2090-06-01T00:00:00Z",
  end_timestamp: "2090-07-01T00:00:00Z",
  allowed_schedule: { allowed_start_time: "09:00", allowed_end_time: "18:00", allowed_days: ["Monday"] }
})

const boundary = "----cut"
const formType = `multipart/form-data; boundary=${boundary}`
const part = (name: string, content: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`
const form = [
  part("name", "June"),
  part("cohort_transformation_file", JSON.stringify({ phone_number: { column_name: "mobile" } })),
  part("cohort_file", "mobile\n9876543210\n"),
  `--${boundary}--\r\n`
].join("")

const wait: Middleware = (_request, _response, next) => void setTimeout(next, 20)

describe("Trunkline in an Express app", () => {
  const lines: Array<string> = []
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
  )
  let voice: ExpressHandler

  beforeAll(async () => {
    voice = await toExpressHandler(Layer.provideMerge(testEngine, logger), { prefix: "/voice" })
  })
  afterAll(() => voice.close())

  /** Sends a request to an app with these handlers, and closes it. */
  const withApp = async <A>(
    make: (app: App) => unknown,
    use: (url: string, port: number) => Promise<A>
  ): Promise<A> => {
    const app = express()
    make(app)
    app.use((request: Request, response: ServerResponse) => response.writeHead(404).end(`host ${request.url}`))
    app.use((_error: unknown, _request: Request, response: ServerResponse, _next: unknown) =>
      response.writeHead(418).end("host's error")
    )
    const server = createServer(app)
    server.on("upgrade", (request, socket, head) => {
      if (!voice.upgrade(request, socket, head)) socket.end("HTTP/1.1 418 Mine\r\n\r\n")
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    try {
      return await use(`http://127.0.0.1:${port}`, port)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  }

  /** Sends a body through these handlers to Trunkline, and returns the response. */
  const through = (
    before: ReadonlyArray<Middleware>,
    body: NonNullable<RequestInit["body"]>,
    type = "application/json"
  ) =>
    withApp((app) => app.use("/voice", ...before, voice), async (url) => {
      const answer = await fetch(`${url}/voice${workspace}/outbounds`, {
        method: "POST",
        headers: { ...key, "content-type": type },
        body,
        duplex: "half"
      })
      const text = await answer.text()
      return { status: answer.status, text, json: text.startsWith("{") ? JSON.parse(text) : null }
    })

  const parsers: Record<string, Middleware> = {
    "nothing": (_request, _response, next) => next(),
    "express.json()": express.json({ limit: "10mb" }),
    "express.text()": express.text({ type: "*/*", limit: "10mb" }),
    "express.raw()": express.raw({ type: "*/*", limit: "10mb" }),
    "express.urlencoded()": express.urlencoded()
  }

  describe("wherever it is mounted", () => {
    const nested = (app: App) => {
      const inner = express.Router()
      inner.use("/:tenant/voice", voice)
      app.use("/api", inner)
    }
    const ways: ReadonlyArray<readonly [string, (app: App) => unknown]> = [
      ["/voice", (app) => app.use("/voice", voice)],
      ["/api/acme/voice", nested],
      ["/voice", (app) => app.use(voice)],
      ["/VOICE", (app) => app.use("/voice", voice)]
    ]
    it.each(ways)("keeps %s in links, and leaves other paths to the host", async (prefix, make) => {
      await withApp(make, async (url) => {
        const page = await fetch(`${url}${prefix}${deployments}?offset=1`, { headers: key })
        assert.strictEqual(JSON.parse(await page.text()).prev_page_uri, `${prefix}${deployments}?offset=0`)
        assert.strictEqual((await fetch(`${url}${prefix}/health`, { method: "DELETE" })).status, 405)
        for (const path of ["/", "/nowhere", "/healthy"]) {
          assert.strictEqual(await (await fetch(`${url}${prefix}${path}`)).text(), `host ${prefix}${path}`)
        }
        assert.strictEqual(await (await fetch(`${url}/health`)).text(), "host /health")
      })
    })
  })

  describe.each(Object.entries(parsers))("behind %s", (_, parser) => {
    it("accepts and rejects JSON as any other server does", async () => {
      const good = await through([parser], call())
      assert.strictEqual(good.status, 200, good.text)
      const bad = await through([parser], call("1"))
      assert.deepStrictEqual([bad.status, bad.json.detail[0].loc], [422, ["body", "app_config", "app_version"]])
      const deep = await through([parser], `{"name":${"[".repeat(50_000)}${"]".repeat(50_000)}}`)
      assert.deepStrictEqual([deep.status, deep.json.detail[0].msg], [422, "The body nests too deeply"])
      const large = JSON.stringify({ name: "x".repeat(1_100_000) })
      assert.strictEqual((await through([parser], large)).status, 413)
      assert.strictEqual((await through([parser], new Blob([large]).stream())).status, 413)
      const padded = call().padEnd(1_100_000)
      assert.strictEqual((await through([parser], padded)).status, 413)
    })

    it("rejects other content types and keys as any other server does", async () => {
      const pairs = "application/x-www-form-urlencoded"
      assert.strictEqual((await through([parser], "name=desk", pairs)).status, 415)
      assert.strictEqual((await through([parser], "", "text/plain")).status, 415)
      const { json } = await through([parser], "")
      assert.strictEqual(json.detail[0].type, "json_invalid")
    })
  })

  describe("behind middleware that touches the body", () => {
    const unread = /BodyAlreadyRead \(mount Trunkline before/

    const harmless: Record<string, ReadonlyArray<Middleware>> = {
      "that waits": [wait],
      "that listens to its chunks": [(request, _, next) => (request.on("data", () => undefined), next())],
      "that pauses it": [(request, _, next) => (request.pause(), next()), wait]
    }
    it.each(Object.entries(harmless))("reads the complete body behind middleware %s", async (_, before) => {
      const { status, text } = await through(before, call().padEnd(1_000_000))
      assert.strictEqual(status, 200, text)
    })

    const greedy: Record<string, ReadonlyArray<Middleware>> = {
      "has read it": [(request, _, next) => void request.resume().once("end", next)],
      "is reading it": [(request, _, next) => (request.resume(), next()), wait],
      "has read some of it": [
        (request, _, next) => void Object.assign(request, { body: {} }).once("data", () => (request.pause(), next()))
      ],
      "wants to read it": [(request, _, next) => (request.on("readable", () => undefined), next())]
    }
    it.each(Object.entries(greedy))(
      "responds with 500 behind middleware that %s, and logs advice",
      async (_, before) => {
        lines.length = 0
        const { json, status } = await through(before, call().padEnd(1_000_000))
        assert.deepStrictEqual([status, json.error.code], [500, "internal_server_error"])
        assert.strictEqual(lines.filter((line) => unread.test(line)).length, 1)
      }
    )

    const upload = async (parser: Middleware) => {
      lines.length = 0
      return withApp((app) => app.use(parser, voice), async (url) => {
        const created = await fetch(`${url}/voice${workspace}/campaigns`, {
          method: "POST",
          headers: { ...key, "content-type": "application/json" },
          body: campaign
        })
        const { campaign_id } = JSON.parse(await created.text())
        const cohorts = `${url}/voice${workspace}/campaigns/${campaign_id}/cohorts`
        const answer = await fetch(`${cohorts}/upload`, {
          method: "POST",
          headers: { ...key, "content-type": formType },
          body: form
        })
        let json = JSON.parse(await answer.text())
        while (json.status === "processing") {
          json = JSON.parse(await (await fetch(`${cohorts}/${json.cohort_id}`, { headers: key })).text())
        }
        return { status: answer.status, json }
      })
    }

    it("responds with 500 for a form that a parser has consumed", async () => {
      const { json, status } = await upload((request, response, next) => {
        const isForm = request.headers["content-type"] === formType
        return isForm
          ? greedy["has read it"]?.[0]?.(Object.assign(request, { body: { name: "June" } }), response, next)
          : next()
      })
      assert.deepStrictEqual([status, json.error.code], [500, "internal_server_error"])
      assert.match(lines.join("\n"), unread)
    })

    it("accepts forms that parsers ignore or leave as bytes", async () => {
      for (const parser of [express.json(), express.raw({ type: "*/*" })]) {
        const { json, status } = await upload(parser)
        assert.deepStrictEqual([status, json.result?.valid_records], [200, 1], JSON.stringify(json))
      }
    })

    it("accepts compressed bodies that a parser has inflated, within the limit", async () => {
      const compressed = (text: string) =>
        withApp(
          (app) => app.use(express.json({ limit: "10mb" }), voice),
          (url) =>
            fetch(`${url}/voice${workspace}/outbounds`, {
              method: "POST",
              headers: { ...key, "content-type": "application/json", "content-encoding": "gzip" },
              body: gzipSync(text)
            }).then(({ status }) => status)
        )
      assert.strictEqual(await compressed(call()), 200)
      assert.strictEqual(await compressed(JSON.stringify({ name: "x".repeat(1_100_000) })), 413)
    })
  })

  it("requires a key before a WebSocket upgrade, and leaves other sockets to the host", async () => {
    const ask = (path: string) =>
      withApp((app) => app.use("/voice", voice), (_, port) => {
        const socket = connect(port, "127.0.0.1")
        const upgrade = "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13"
        const secret = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=="
        socket.write(`GET ${path} HTTP/1.1\r\nhost: here\r\n${upgrade}\r\n${secret}\r\n\r\n`)
        return text(socket)
      })
    assert.match(await ask(`/voice${workspace}/calls/live`), /^HTTP\/1\.1 403 [^]*invalid_api_key_error/)
    assert.match(await ask("/voice/chat"), /^HTTP\/1\.1 418 Mine/)
    assert.match(await ask(`${workspace}/calls/live`), /^HTTP\/1\.1 418 Mine/)
  })
})
