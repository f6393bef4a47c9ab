import { assert, describe, it } from "@effect/vitest"
import { Engine } from "@trunkline/engine"
import { testEngine, testKeys } from "@trunkline/http-api/testing"
import { serve, toNodeHandler } from "@trunkline/node-http"
import { Deferred, Effect, Layer, Logger } from "effect"
import { once } from "node:events"
import { createServer, request } from "node:http"
import { connect } from "node:net"
import { ask, outboundBody, start, workspace } from "./Client.js"

/** The test engine with something about it changed. */
const changed = (change: (engine: typeof Engine.Service) => Partial<typeof Engine.Service>) =>
  Layer.effect(Engine, Effect.map(Engine, (engine) => ({ ...engine, ...change(engine) }))).pipe(
    Layer.provide(testEngine)
  )

describe("serve", () => {
  it("answers a defect with a bare 500, and logs what kind it was under the request's id, not what it said", async () => {
    const lines: Array<string> = []
    const logger = Logger.replace(
      Logger.defaultLogger,
      Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
    )
    const broken = changed(({ deployments }) => ({
      deployments: { ...deployments, list: () => Effect.die(new TypeError("+919876543210 is secret")) }
    }))
    const server = await serve(Layer.provideMerge(broken, logger), { port: 0 })
    const { headers, json, status, text } = await ask(server, `${workspace}/deployments`)
    await server.close()
    assert.strictEqual(status, 500)
    assert.deepStrictEqual(Object.keys(json), ["error"])
    assert.strictEqual(json.error.code, "internal_server_error")
    assert.notMatch(text, /secret|TypeError/)
    const logged = lines.join("\n")
    assert.include(logged, "TypeError")
    assert.include(logged, "Serve.test.ts")
    assert.include(logged, `request_id=${headers.get("x-request-id")}`)
    assert.notMatch(logged, /98765|secret|sk_test/)
  })

  it("interrupts the work when its client goes away", async () => {
    const begun = Deferred.unsafeMake<void>(Effect.runSync(Effect.fiberId))
    const ended = Deferred.unsafeMake<string>(Effect.runSync(Effect.fiberId))
    const server = await serve(
      changed(({ deployments }) => ({
        deployments: {
          ...deployments,
          list: () =>
            Deferred.succeed(begun, undefined).pipe(
              Effect.zipRight(Effect.never),
              Effect.onInterrupt(() => Deferred.succeed(ended, "interrupted"))
            )
        }
      })),
      { port: 0 }
    )
    const sending = request(`${server.url}${workspace}/deployments`, {
      headers: { "api-subscription-key": testKeys.main }
    })
    sending.on("error", () => undefined)
    sending.end()
    await Effect.runPromise(Deferred.await(begun))
    sending.destroy()
    assert.strictEqual(await Effect.runPromise(Deferred.await(ended)), "interrupted")
    await server.close()
  })

  it("lets a request in flight finish, takes no more, and then stops the engine", async () => {
    const begun = Deferred.unsafeMake<void>(Effect.runSync(Effect.fiberId))
    const go = Deferred.unsafeMake<void>(Effect.runSync(Effect.fiberId))
    const order: Array<string> = []
    const note = (what: string) => Effect.sync(() => void order.push(what))
    const slow = changed(({ deployments }) => ({
      deployments: {
        ...deployments,
        list: (scope, page) =>
          Deferred.succeed(begun, undefined).pipe(
            Effect.zipRight(Deferred.await(go)),
            Effect.zipRight(note("answered")),
            Effect.zipRight(deployments.list(scope, page))
          )
      }
    }))
    const stopping = Layer.scopedDiscard(Effect.addFinalizer(() => note("stopped")))
    const server = await serve(Layer.merge(slow, stopping), { port: 0 })
    await ask(server, "/health")
    const answer = ask(server, `${workspace}/deployments`)
    await Effect.runPromise(Deferred.await(begun))
    const closed = server.close()
    const late = await ask(server, "/health").then(() => "answered", () => "refused")
    Effect.runSync(Deferred.succeed(go, undefined))
    const { headers, status } = await answer
    await closed
    assert.deepStrictEqual([late, status, headers.get("connection")], ["refused", 200, "close"])
    assert.deepStrictEqual(order, ["answered", "stopped"])
    assert.strictEqual(await server.close(), undefined)
  })

  it("cuts requests that outlast the closing", async () => {
    const stuck = changed(({ deployments }) => ({ deployments: { ...deployments, list: () => Effect.never } }))
    const server = await serve(stuck, { port: 0, closeTimeout: 20 })
    const answer = ask(server, `${workspace}/deployments`).then(() => "answered", () => "cut")
    await ask(server, "/health")
    await server.close()
    assert.strictEqual(await answer, "cut")
  })

  it("waits for the calls that are going on", async () => {
    const server = await start()
    await ask(server, `${workspace}/outbounds`, { method: "POST", body: outboundBody })
    await server.close()
    await server.close()
  })

  it("rejects when the port is taken, and when the engine does not start", async () => {
    const server = await start()
    const port = Number(new URL(server.url).port)
    const taken = await serve(testEngine, { port }).then(() => "served", (error) => error.code)
    await server.close()
    assert.strictEqual(taken, "EADDRINUSE")
    const failed = await serve(Layer.fail("no disk"), { port: 0 }).then(() => "served", String)
    assert.include(failed, "no disk")
  })

  it("is not upset by what is no HTTP", async () => {
    const server = await start()
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
    socket.write("hello\r\n\r\n")
    const [bytes] = await once(socket, "data")
    assert.match(String(bytes), /^HTTP\/1.1 400/)
    socket.destroy()
    assert.strictEqual((await ask(server, "/health")).status, 200)
    await server.close()
  })
})

describe("toNodeHandler", () => {
  it("mounts the engine in somebody else's server", async () => {
    const handler = await toNodeHandler(testEngine)
    const server = createServer(handler).listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
    assert.strictEqual((await ask({ url }, "/health")).status, 200)
    server.close()
    server.closeAllConnections()
    await handler.close()
  })
})
