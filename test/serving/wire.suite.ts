import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { Agent, type OutgoingHttpHeaders, request } from "node:http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { outboundBody } from "./Bodies.js"
import { workspace } from "./Client.js"
import { served, type Way } from "./Ways.js"

/** Requests as they may look on the wire, though browsers do not send them so. */
export const wireSuite = (way: Way) =>
  describe(`unusual requests over ${way.name}`, () => {
    const server = served(way)
    let oneConnection: Agent
    beforeEach(() => {
      oneConnection = new Agent({ keepAlive: true, maxSockets: 1 })
    })
    afterEach(() => oneConnection.destroy())

    /**
     * The status of the answer to a request, which takes the connection of those before it if the server left it open. One
     * that a server closes at that very moment is replaced, as clients do.
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
      for (let asked = 0; asked < 3; asked++) assert.strictEqual(await send("GET /health"), 200)
    }

    const key = { "api-subscription-key": testKeys.main }

    it("of old clients are answered to the end of their connection", async () => {
      const { pathname, port } = new URL(server.url)
      const socket = connect(Number(port), "127.0.0.1")
      socket.write(`GET ${pathname.replace(/\/$/, "")}/health HTTP/1.0\r\nhost: here\r\n\r\n`)
      const said = await text(socket)
      assert.match(said, /^HTTP\/1\.\d 200 /)
      assert.match(said, /"status":"ok".*\}$/)
    })

    it("that ask for another protocol, as clients of HTTP/2 do, are answered as if they did not", async () => {
      const upgrade = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAAQAAP__" }
      assert.strictEqual(await send("GET /health", upgrade), 200)
      await isWell()
      const body = JSON.stringify(outboundBody)
      const headers = { ...key, ...upgrade, "content-type": "application/json" }
      assert.strictEqual(await send(`POST ${workspace}/outbounds`, headers, body), 200)
      await isWell()
    })

    it("with bodies that no route reads are answered, and so are those after them", async () => {
      const surplus = "x".repeat(100_000)
      assert.strictEqual(await send(`GET ${workspace}/deployments`, key, surplus), 200)
      assert.strictEqual(await send(`DELETE ${workspace}/deployments/dep-0`, key, surplus), 404)
      assert.strictEqual(await send("OPTIONS /health", {}, surplus), 204)
      await isWell()
    })

    it("that are refused before their body was read leave the connection to those after them", async () => {
      const body = JSON.stringify({ name: "x".repeat(3_000_000) })
      for (let asked = 0; asked < 5; asked++) {
        const headers = { ...key, "content-type": "application/json" }
        assert.strictEqual(await send(`POST ${workspace}/outbounds`, headers, body), 413)
        const upload = { "content-type": "multipart/form-data; boundary=x" }
        assert.strictEqual(await send(`POST ${workspace}/campaigns/camp-0/cohorts/upload`, upload, body), 403)
        await isWell()
      }
    })

    it("with two headers of the key's name are refused, whatever the keys are", async () => {
      for (const second of [testKeys.side, testKeys.main]) {
        const headers = { "api-subscription-key": [testKeys.main, second] }
        assert.strictEqual(await send(`GET ${workspace}/deployments`, headers), 403)
      }
    })
  })
