import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { connect } from "node:net"
import { outboundBody } from "./Bodies.js"
import { ask, workspace } from "./Client.js"
import { livePath, watches, watchSocket } from "./Live.js"
import { probing } from "./Probe.js"
import type { Served, Way } from "./Ways.js"

/** Completes once the server takes no more connections. */
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

/** How serving comes to an end. */
export const closingSuite = (way: Way) =>
  describe(`closing ${way.name}`, () => {
    const probe = probing()

    it("lets a request in flight finish, takes no more connections, and stops the engine last", async () => {
      const server = await way.start("probed")
      await ask(server, "/health")
      const answer = ask(server, `${workspace}/deployments`)
      await probe.reported("list begun")
      const closed = server.close()
      await untilRefused(server)
      probe.open("list")
      assert.strictEqual((await answer).status, 200)
      await closed
      assert.deepStrictEqual(probe.reports, ["list begun", "list answered", "stopped"])
    })

    it.each(watches.filter(({ socket }) => way.webSockets || !socket))(
      "ends $by, and does not wait for its client",
      async ({ watch }) => {
        const server = await way.start("probed")
        const { next } = await watch(server, { key: testKeys.foreign, path: livePath("main", "globex") })
        const answer = ask(server, `${workspace}/deployments`)
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

    it.runIf(way.webSockets)("says over WebSockets that it goes away", async () => {
      const server = await way.start()
      const { goodbye, socket } = await watchSocket(server)
      const closed = server.close()
      socket.resume()
      assert.strictEqual((await goodbye).code, 1001)
      await closed
    })

    it("waits for the calls that are going on", async () => {
      const server = await way.start()
      await ask(server, `${workspace}/outbounds`, { method: "POST", body: outboundBody })
      await server.close()
      await server.close()
    })

    it("begins with an engine that starts", async () => {
      const failed = await way.start("failing").then(() => "served", String)
      assert.include(failed, "no disk")
    })
  })
