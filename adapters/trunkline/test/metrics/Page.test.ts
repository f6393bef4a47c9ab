import { once } from "node:events"
import { createServer } from "node:http"
import { createConnection } from "node:net"
import { assert, describe, it } from "vitest"
import { makeMetricsPage } from "../../src/server/metrics/MetricsPage.js"
import { serveMetrics } from "../../src/server/metrics/MetricsServer.js"

const place = { host: "127.0.0.1", port: 0 }
const token = "0123456789abcdef"
const read = () => Promise.resolve("trunkline_calls 3\n")

/** Serves the metrics with a token, and asks for them. */
const ask = async (given: string | null, headers: Record<string, string>, method = "GET", from = read) => {
  const { close, url } = await serveMetrics(makeMetricsPage(from, given), place)
  const response = await fetch(url, { headers, method })
  const text = await response.text()
  await close()
  return { status: response.status, text, type: response.headers.get("content-type") }
}

describe("the page of metrics", () => {
  it("has the text in Prometheus's format", async () => {
    assert.deepStrictEqual(await ask(null, {}), {
      status: 200,
      text: "trunkline_calls 3\n",
      type: "text/plain; version=0.0.4; charset=utf-8"
    })
    assert.include(await ask(null, {}, "HEAD"), { status: 200, text: "" })
  })

  it("is for those who show its token, and tells others what is missing", async () => {
    assert.include(await ask(token, { authorization: `Bearer ${token}` }), { status: 200, text: "trunkline_calls 3\n" })
    for (const wrong of [{}, { authorization: token }, { authorization: "Bearer 0123456789abcdeX" }]) {
      const { status, text } = await ask(token, wrong)
      assert.strictEqual(status, 401)
      assert.strictEqual(text, "The metrics need the header Authorization: Bearer <metrics token of the server>\n")
    }
  })

  it("refuses what is no reading, and does not tell why one failed", async () => {
    assert.include(await ask(null, {}, "POST"), { status: 405, text: "Use GET\n" })
    const broken = () => Promise.reject(new Error("the password is hushhush"))
    assert.include(await ask(null, {}, "GET", broken), { status: 500, text: "The metrics could not be read\n" })
  })

  it("is the only one on its port", async () => {
    const { close, url } = await serveMetrics(makeMetricsPage(read, null), place)
    assert.strictEqual((await fetch(new URL("/v1/models", url))).status, 404)
    assert.strictEqual((await fetch(new URL("/metrics?format=x", url))).status, 200)
    await close()
  })

  it("closes its port although a scraper keeps its connection", async () => {
    const { close, url } = await serveMetrics(makeMetricsPage(read, null), place)
    const socket = createConnection(Number(new URL(url).port), place.host)
    await once(socket, "connect")
    socket.write("GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n")
    await once(socket, "data")
    await Promise.all([once(socket, "close"), close()])
  })

  it("rejects when its port is taken", async () => {
    const taken = createServer().listen(0, place.host)
    await once(taken, "listening")
    const address = taken.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const failure = await serveMetrics(makeMetricsPage(read, null), { ...place, port }).catch((error: unknown) => error)
    assert.strictEqual(Reflect.get(Object(failure), "code"), "EADDRINUSE")
    taken.close()
  })
})
