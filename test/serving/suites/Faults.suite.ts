import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { type ClientRequest, request } from "node:http"
import { sendRequest, workspace } from "../Client.js"
import { probing } from "../Probe.js"
import { served, type Way } from "../Ways.js"

/** Defects of the engine, and clients that disconnect. Raw HTTP, since its subject is the wire: envelopes and broken connections. */
export const faultsSuite = (way: Way) =>
  describe(`faults over ${way.name}`, () => {
    const probe = probing()
    const server = served(way, "probed")

    const sendOff = (path: string): ClientRequest => {
      const sending = request(`${server.url}${path}`, { headers: { "api-subscription-key": testKeys.main } })
      sending.on("error", () => undefined)
      return sending.end()
    }

    it("become a bare 500, and are logged with their kind and the request id, but without their message", async () => {
      const { headers, json, status, text } = await sendRequest(server, `${workspace}/campaigns`)
      assert.strictEqual(status, 500)
      assert.deepStrictEqual(Object.keys(json), ["error"])
      assert.strictEqual(json.error.code, "internal_server_error")
      assert.notMatch(text, /secret|TypeError/)
      const logged = await probe.reported(/A request failed/)
      assert.include(logged, "TypeError")
      assert.include(logged, "Probed.ts")
      assert.include(logged, `request_id=${headers.get("x-request-id")}`)
      assert.notMatch(probe.reports.join("\n"), /98765|secret|sk_test/)
    })

    it("interrupt the work when the client disconnects", async () => {
      const sending = sendOff(`${workspace}/deployments`)
      await probe.reported("list begun")
      sending.destroy()
      await probe.reported("list interrupted")
      assert.deepStrictEqual(probe.reports, ["list begun", "list interrupted"])
    })
  })
