import { assert, describe, it } from "@effect/vitest"
import { Engine } from "@trunkline/engine"
import { testEngine, testKeys } from "@trunkline/http-api/testing"
import { serve, toNodeHandler } from "@trunkline/node-http"
import { Deferred, Effect, FiberId, Layer } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import { connect } from "node:net"

/** The test engine, with an effect that runs before deployments are listed. */
const engineBeforeListing = (first: Effect.Effect<void>) =>
  Layer.effect(
    Engine,
    Effect.map(Engine, (engine) => ({
      ...engine,
      deployments: {
        ...engine.deployments,
        list: (...asked) => Effect.zipRight(first, engine.deployments.list(...asked))
      }
    }))
  ).pipe(Layer.provide(testEngine))

const deployments = (url: string) =>
  fetch(`${url}/v1/orgs/acme/workspaces/main/deployments`, { headers: { "api-subscription-key": testKeys.main } })

const health = async (url: string) => (await fetch(`${url}/health`)).status

describe("serve", () => {
  it("lets a request in flight finish, and closes its connection", async () => {
    const begun = Deferred.unsafeMake<void>(FiberId.none)
    const go = Deferred.unsafeMake<void>(FiberId.none)
    const slow = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(go))
    const server = await serve(engineBeforeListing(slow), { port: 0 })
    assert.strictEqual(await health(server.url), 200)
    const answer = deployments(server.url)
    await Effect.runPromise(Deferred.await(begun))
    const closed = server.close()
    const late = await health(server.url).then(() => "answered", () => "refused")
    Effect.runSync(Deferred.succeed(go, undefined))
    const { headers, status } = await answer
    await closed
    assert.deepStrictEqual([late, status, headers.get("connection")], ["refused", 200, "close"])
    assert.isUndefined(await server.close())
  })

  it("cuts requests that exceed the close timeout", async () => {
    const server = await serve(engineBeforeListing(Effect.never), { port: 0, closeTimeout: 20 })
    const answer = deployments(server.url).then(() => "answered", () => "cut")
    await health(server.url)
    await server.close()
    assert.strictEqual(await answer, "cut")
  })

  it("answers with a page of the host, and all else by the API", async () => {
    const server = await serve(testEngine, {
      port: 0,
      page: ({ url }, response) => url === "/" && Boolean(response.end("a page"))
    })
    const textOf = async (path: string) => (await fetch(server.url + path)).text()
    assert.strictEqual(await textOf("/"), "a page")
    assert.include(await textOf("/elsewhere"), "not_found_error")
    assert.strictEqual(await health(server.url), 200)
    await server.close()
  })

  it("rejects when the port is in use", async () => {
    const server = await serve(testEngine, { port: 0 })
    const port = Number(new URL(server.url).port)
    const taken = await serve(testEngine, { port }).then(() => "served", (error) => error.code)
    await server.close()
    assert.strictEqual(taken, "EADDRINUSE")
  })

  it("survives clients that do not speak HTTP", async () => {
    const server = await serve(testEngine, { port: 0 })
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
    socket.write("hello\r\n\r\n")
    const [bytes] = await once(socket, "data")
    assert.match(String(bytes), /^HTTP\/1.1 400/)
    socket.destroy()
    assert.strictEqual(await health(server.url), 200)
    await server.close()
  })

  it("survives clients that ask for another protocol before they have received their responses", async () => {
    const server = await serve(testEngine, { port: 0 })
    const { port } = new URL(server.url)
    const plain = "GET /v1/orgs/acme/workspaces/main/deployments HTTP/1.1\r\nhost: x\r\n\r\n"
    const handshake = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    const asking = (protocol: string) =>
      `GET /v1/orgs/acme/workspaces/main/calls/live HTTP/1.1\r\nhost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${handshake}\r\n`
    for (const sent of [plain + asking("websocket"), plain + asking("h2c"), asking("h2c").repeat(3)]) {
      const socket = connect(Number(port), "127.0.0.1")
      socket.on("error", () => undefined)
      socket.write(sent)
      await once(socket.resume(), "close")
    }
    assert.strictEqual((await fetch(`${server.url}/health`)).status, 200)
    await server.close()
  })
})

describe("toNodeHandler", () => {
  it("serves the engine from another server", async () => {
    const handler = await toNodeHandler(testEngine)
    const server = createServer(handler).listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    assert.strictEqual(await health(`http://127.0.0.1:${port}`), 200)
    server.close()
    server.closeAllConnections()
    await handler.close()
  })
})
