import { assert, describe, it } from "@effect/vitest"
import { Chunk, Deferred, Effect, Either, Stream } from "effect"
import { createServer, type RequestListener } from "node:http"
import { getDefaultAutoSelectFamily, setDefaultAutoSelectFamily } from "node:net"
import { Agent, request } from "undici/index.js"
import { download } from "../../src/guarded/Download.js"
import { AddressRefused, guardedConnector, type HostLookup } from "../../src/guarded/GuardedConnector.js"
import { attempt } from "./Attempt.js"
import { listening } from "./LocalServer.js"

/** An agent that allows only 127.0.0.1 of the addresses of this machine. */
const agentWith = (lookup: HostLookup) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      new Agent({
        connect: guardedConnector({ lookup, isAllowed: (ip) => ip === "127.0.0.1", connectTimeoutMillis: 50 })
      })
    ),
    (agent) => Effect.promise(() => agent.destroy())
  )

/** A server on all addresses of this machine that records the address and connection of each request. */
const everywhere = (answer: RequestListener) =>
  Effect.gen(function*() {
    const reached: Array<string | undefined> = []
    const connections = new Set<unknown>()
    const port = yield* listening(
      createServer((request, response) => {
        reached.push(request.socket.localAddress)
        connections.add(request.socket)
        answer(request, response)
      }),
      "0.0.0.0"
    )
    return { reached, connections, port }
  })

const send = (dispatcher: Agent, url: string) => attempt(async () => (await request(url, { dispatcher })).body.text())

describe("guardedConnector", () => {
  it.scopedLive("connects to the checked address even if the resolver changes its result", () =>
    Effect.gen(function*() {
      const { port, reached } = yield* everywhere((_, response) => {
        response.writeHead(200, { connection: "close" }).end()
      })
      let lookups = 0
      const agent = yield* agentWith(async () => [{ address: `127.0.0.${++lookups}`, family: 4 }])
      const sending = send(agent, `http://rebinding.example:${port}/`)
      yield* sending
      assert.deepStrictEqual(
        [lookups, reached],
        [1, ["127.0.0.1"]],
        "one look-up, and the connection goes where it said"
      )
      assert.instanceOf(yield* Effect.flip(sending), AddressRefused)
      assert.deepStrictEqual([lookups, reached], [2, ["127.0.0.1"]], "a new connection is checked anew")
    }))

  it.scopedLive("ignores later changes to the resolved addresses", () =>
    Effect.gen(function*() {
      const { port, reached } = yield* everywhere((_, response) => void response.end())
      const agent = yield* agentWith(async () => {
        let reads = 0
        return [{
          get address() {
            return ++reads === 1 ? "127.0.0.1" : "127.0.0.2"
          },
          family: 4
        }]
      })
      yield* Effect.either(send(agent, `http://rebinding.example:${port}/`))
      assert.notInclude(reached, "127.0.0.2")
    }))

  it.scopedLive("checks a redirect to the same name on a new connection again", () =>
    Effect.gen(function*() {
      const { port, reached } = yield* everywhere((_, response) => {
        response.writeHead(302, { location: "/again", connection: "close" }).end()
      })
      let lookups = 0
      const agent = yield* agentWith(async () => [{ address: `127.0.0.${++lookups}`, family: 4 }])
      const get = download({ agent, check: (url) => Either.right(new URL(url)) })
      const failure = yield* Effect.flip(Stream.runDrain(get({ url: `http://rebinding.example:${port}/` })))
      assert.deepStrictEqual([failure.kind, lookups, reached], ["refused", 2, ["127.0.0.1"]])
    }))

  it.scopedLive("resolves and checks a redirect to another name", () =>
    Effect.gen(function*() {
      const names: Array<string> = []
      const { connections, port, reached } = yield* everywhere((request, response) => {
        const to = request.url === "/" ? "http://inner.example" : "http://public.example"
        if (request.url === "/file") response.end("file")
        else response.writeHead(302, { location: `${to}:${port}/file` }).end()
      })
      const agent = yield* agentWith(async (name) => {
        names.push(name)
        return [{ address: name === "inner.example" ? "127.0.0.2" : "127.0.0.1", family: 4 }]
      })
      const get = download({ agent, check: (url) => Either.right(new URL(url)) })
      const refused = yield* Effect.flip(Stream.runDrain(get({ url: `http://first.example:${port}/` })))
      assert.strictEqual(refused.kind, "refused")
      assert.deepStrictEqual([names, reached], [["first.example", "inner.example"], ["127.0.0.1"]])
      const file = yield* Stream.runCollect(get({ url: `http://second.example:${port}/elsewhere` }))
      assert.strictEqual(Buffer.concat(Chunk.toReadonlyArray(file)).toString(), "file")
      assert.deepStrictEqual(names.slice(2), ["second.example", "public.example"])
      assert.strictEqual(connections.size, 3)
    }))

  it.scopedLive("reuses a connection for its own name only", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* everywhere((_, response) => void response.end("a"))
      const names: Array<string> = []
      const agent = yield* agentWith(async (name) => {
        names.push(name)
        return [{ address: name === "evil.example" ? "127.0.0.2" : "127.0.0.1", family: 4 }]
      })
      for (const name of ["a.example", "a.example", "b.example", "127.0.0.1"]) {
        yield* send(agent, `http://${name}:${port}/`)
        yield* Effect.sleep("5 millis")
      }
      assert.deepStrictEqual([names, connections.size], [["a.example", "b.example"], 3])
      assert.instanceOf(yield* Effect.flip(send(agent, `http://evil.example:${port}/`)), AddressRefused)
      assert.instanceOf(yield* Effect.flip(send(agent, `http://127.0.0.2:${port}/`)), AddressRefused)
      assert.strictEqual(connections.size, 3)
    }))

  it.scopedLive("checks all addresses even if only one is requested", () =>
    Effect.gen(function*() {
      const { port, reached } = yield* everywhere((_, response) => void response.end())
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          const before = getDefaultAutoSelectFamily()
          setDefaultAutoSelectFamily(false)
          return before
        }),
        (before) => Effect.sync(() => setDefaultAutoSelectFamily(before))
      )
      const agent = yield* agentWith(async (name) =>
        (name === "a.example" ? ["127.0.0.1"] : ["127.0.0.1", "127.0.0.2"]).map((address) => ({ address, family: 4 }))
      )
      yield* send(agent, `http://a.example:${port}/`)
      assert.instanceOf(yield* Effect.flip(send(agent, `http://b.example:${port}/`)), AddressRefused)
      assert.deepStrictEqual(reached, ["127.0.0.1"])
    }))

  it.scopedLive("does not connect after a late lookup", () =>
    Effect.gen(function*() {
      const { port, reached } = yield* everywhere((_, response) => void response.end())
      const lookup = yield* Deferred.make<Awaited<ReturnType<HostLookup>>>()
      const agent = yield* agentWith(() => Effect.runPromise(Deferred.await(lookup)))
      const failure = yield* Effect.flip(send(agent, `http://slow.example:${port}/`))
      assert.propertyVal(failure, "code", "UND_ERR_CONNECT_TIMEOUT")
      yield* Deferred.succeed(lookup, [{ address: "127.0.0.1", family: 4 }])
      yield* Effect.sleep("20 millis")
      assert.deepStrictEqual(reached, [])
    }))

  it.scopedLive.each(
    [
      ["rejects", () => Promise.reject(Object.assign(new Error("secret"), { code: "ENOTFOUND" })), "ENOTFOUND"],
      ["answers with nothing", async () => [], "ERR_ADDRESS_REFUSED"],
      ["answers with no list", () => Promise.resolve(JSON.parse("null")), undefined],
      ["answers with no address", async () => [{ address: "localhost", family: 4 }], "ERR_ADDRESS_REFUSED"]
    ] satisfies ReadonlyArray<readonly [how: string, lookup: HostLookup, code: string | undefined]>
  )(
    "fails when the resolver %s",
    ([, lookup, code]) =>
      Effect.gen(function*() {
        const { port, reached } = yield* everywhere((_, response) => void response.end())
        const agent = yield* agentWith(lookup)
        const failure = yield* Effect.flip(send(agent, `http://name.example:${port}/`))
        assert.strictEqual(Object(failure).code, code)
        assert.deepStrictEqual(reached, [])
      })
  )
})
