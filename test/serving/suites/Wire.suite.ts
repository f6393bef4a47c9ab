import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { Agent, type OutgoingHttpHeaders, request } from "node:http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { outboundBody } from "../Bodies.js"
import { workspace } from "../Client.js"
import { served, type Way } from "../Ways.js"

/** Raw HTTP requests that browsers do not send. Their subject is the wire itself. */
export const wireSuite = (way: Way) =>
  describe(`unusual requests over ${way.name}`, () => {
    const server = served(way)
    let oneConnection: Agent
    beforeEach(() => {
      oneConnection = new Agent({ keepAlive: true, maxSockets: 1 })
    })
    afterEach(() => oneConnection.destroy())

    /**
     * Sends a request, and returns the status. Reuses the connection if the server left it open; opens another one if the
     * server closes it at that moment, as clients do.
     */
    const send = async (line: string, headers: OutgoingHttpHeaders = {}, body = ""): Promise<number | undefined> => {
      const [method, path] = line.split(" ")
      const size = { "content-length": body.length }
      const sending = request(`${server.url}${path}`, {
        method,
        headers: body === "" ? headers : { ...headers, ...size },
        agent: oneConnection
      })
      sending.end(body)
      try {
        const [response] = await once(sending, "response")
        await text(response)
        return response.statusCode
      } catch (error) {
        if (sending.reusedSocket) return send(line, headers, body)
        throw error
      }
    }

    const isWell = async () => {
      for (let askedCount = 0; askedCount < 3; askedCount++) assert.strictEqual(await send("GET /health"), 200)
    }

    const key = { "api-subscription-key": testKeys.main }

    it("of HTTP/1.0 clients are answered until the connection closes", async () => {
      const { pathname, port } = new URL(server.url)
      const socket = connect(Number(port), "127.0.0.1")
      socket.write(`GET ${pathname.replace(/\/$/, "")}/health HTTP/1.0\r\nhost: here\r\n\r\n`)
      const said = await text(socket)
      assert.match(said, /^HTTP\/1\.\d 200 /)
      assert.match(said, /"status":"ok".*\}$/)
    })

    it("that ask for HTTP/2 are answered over HTTP/1.1", async () => {
      const upgrade = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAAQAAP__" }
      assert.strictEqual(await send("GET /health", upgrade), 200)
      await isWell()
      const body = JSON.stringify(outboundBody)
      const headers = { ...key, ...upgrade, "content-type": "application/json" }
      assert.strictEqual(await send(`POST ${workspace}/outbounds`, headers, body), 200)
      await isWell()
    })

    it("with unread bodies are answered, and so are later ones on the connection", async () => {
      const surplus = "x".repeat(100_000)
      assert.strictEqual(await send(`GET ${workspace}/deployments`, key, surplus), 200)
      assert.strictEqual(await send(`DELETE ${workspace}/deployments/dep-0`, key, surplus), 404)
      assert.strictEqual(await send("OPTIONS /health", {}, surplus), 204)
      await isWell()
    })

    it("that are rejected before their body was read leave the connection usable", async () => {
      const body = JSON.stringify({ name: "x".repeat(3_000_000) })
      for (let askedCount = 0; askedCount < 5; askedCount++) {
        const headers = { ...key, "content-type": "application/json" }
        assert.strictEqual(await send(`POST ${workspace}/outbounds`, headers, body), 413)
        const upload = { "content-type": "multipart/form-data; boundary=x" }
        assert.strictEqual(await send(`POST ${workspace}/campaigns/camp-0/cohorts/upload`, upload, body), 403)
        await isWell()
      }
    })

    it("with a repeated key header are rejected", async () => {
      for (const second of [testKeys.side, testKeys.main]) {
        const headers = { "api-subscription-key": [testKeys.main, second] }
        assert.strictEqual(await send(`GET ${workspace}/deployments`, headers), 403)
      }
    })
  })
