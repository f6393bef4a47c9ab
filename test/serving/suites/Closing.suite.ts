import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { connect } from "node:net"
import { outboundBody } from "../Bodies.js"
import { sendRequest, workspace } from "../Client.js"
import { livePath, watches, watchSocket } from "../Live.js"
import { probing } from "../Probe.js"
import type { Served, Way } from "../Ways.js"

/** Completes once the server accepts no more connections. */
const untilRefused = async ({ url }: Pick<Served, "url">) => {
  for (;;) {
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    try {
      await once(socket, "connect")
    } catch {
      return
    } finally {
      socket.destroy()
    }
  }
}

/** Graceful shutdown. Raw HTTP, since its subject is the wire: requests and connections that end half way. */
export const closingSuite = (way: Way) =>
  describe(`closing ${way.name}`, () => {
    const probe = probing()

    it("lets a request in flight finish, accepts no more connections, and stops the engine last", async () => {
      const server = await way.start("probed")
      await sendRequest(server, "/health")
      const answer = sendRequest(server, `${workspace}/deployments`)
      await probe.reported("list begun")
      const closed = server.close()
      await untilRefused(server)
      probe.open("list")
      assert.strictEqual((await answer).status, 200)
      await closed
      assert.deepStrictEqual(probe.reports, ["list begun", "list answered", "stopped"])
    })

    it.each(watches.filter(({ socket }) => way.webSockets || !socket))(
      "ends $by without waiting for its client",
      async ({ watch }) => {
        const server = await way.start("probed")
        const { next } = await watch(server, { key: testKeys.foreign, path: livePath("main", "globex") })
        const answer = sendRequest(server, `${workspace}/deployments`)
        await probe.reported("list begun")
        const closed = server.close()
        assert.isUndefined(await next())
        await probe.reported("watch over")
        probe.open("list")
        assert.strictEqual((await answer).status, 200)
        await closed
        assert.deepStrictEqual(probe.reports.slice(-2), ["list answered", "stopped"])
      }
    )

    it.runIf(way.webSockets)("sends close code 1001 over WebSockets", async () => {
      const server = await way.start()
      const { closeFrame, socket } = await watchSocket(server)
      const closed = server.close()
      socket.resume()
      assert.strictEqual((await closeFrame).code, 1001)
      await closed
    })

    it("waits for calls in progress", async () => {
      const server = await way.start()
      await sendRequest(server, `${workspace}/outbounds`, { method: "POST", body: outboundBody })
      await server.close()
      await server.close()
    })

    it("rejects when the engine does not start", async () => {
      const failed = await way.start("failing").then(() => "served", String)
      assert.include(failed, "no disk")
    })
  })
