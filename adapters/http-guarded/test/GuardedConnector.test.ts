import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:http"
import { Agent, request } from "undici"
import { AddressRefused, guardedConnector } from "../src/GuardedConnector.js"
import { listening } from "./LocalServer.js"

describe("guardedConnector", () => {
  it.scopedLive("a resolver that changes its answer cannot turn a checked name elsewhere", () =>
    Effect.gen(function*() {
      const reached: Array<string | undefined> = []
      const server = createServer((request, response) => {
        reached.push(request.socket.localAddress)
        response.writeHead(200, { connection: "close" }).end()
      })
      const port = yield* listening(server, "0.0.0.0")
      let lookups = 0
      const connect = guardedConnector({
        lookup: async () => [{ address: `127.0.0.${++lookups}`, family: 4 }],
        isAllowed: (ip) => ip === "127.0.0.1",
        connectTimeoutMillis: 1_000
      })
      const agent = yield* Effect.acquireRelease(
        Effect.sync(() => new Agent({ connect })),
        (agent) => Effect.promise(() => agent.destroy())
      )
      const send = Effect.tryPromise(async () => {
        const { body } = await request(`http://rebinding.example:${port}/`, { dispatcher: agent })
        await body.dump()
      })
      yield* send
      assert.deepStrictEqual(
        [lookups, reached],
        [1, ["127.0.0.1"]],
        "one look-up, and the connection goes where it said"
      )
      const refusal = yield* Effect.flip(send)
      assert.instanceOf(refusal.error, AddressRefused)
      assert.deepStrictEqual([lookups, reached], [2, ["127.0.0.1"]], "a new connection is checked anew")
    }))
})
