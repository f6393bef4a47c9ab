import { once } from "node:events"
import { connect } from "node:net"
import { assert, describe, it } from "vitest"
import { serveMetrics } from "../../src/server/metrics/MetricsServer.js"

describe("the server of metrics", () => {
  it("closes at once, whoever is slow to ask", async () => {
    const { close, url } = await serveMetrics(() => false, { host: "127.0.0.1", port: 0 })
    const client = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined)
    await once(client, "connect")
    client.write("GET /metrics HTTP/1.1\r\nhost: ")
    let answer = ""
    client.on("data", (chunk) => void (answer += chunk.toString()))
    const ended = new Promise((resolve) => client.once("close", resolve))
    await close()
    await ended
    // A server that waits for the request ends with 408.
    assert.strictEqual(answer, "")
  })
})
