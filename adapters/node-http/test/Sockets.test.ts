import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { type ServerSocket, SocketUpgrade } from "@trunkline/http-api"
import type { FrameEvent } from "@trunkline/telephony"
import { Deferred, Effect, Exit, Option, Stream, TestClock } from "effect"
import { once } from "node:events"
import { WebSocket } from "ws"
import { listening, say } from "./Listening.js"

/** Upgrades every request, and runs an effect with its socket. */
const withSocket = (use: (socket: ServerSocket) => Effect.Effect<unknown>) =>
  Effect.flatMap(
    SocketUpgrade,
    Option.match({
      onNone: () => Effect.succeed(HttpServerResponse.text("no upgrade")),
      onSome: (upgrade) =>
        Effect.interruptible(Effect.as(Effect.scoped(Effect.flatMap(upgrade, use)), HttpServerResponse.empty()))
    })
  )

/** Keeps sockets open, and reports whether they were interrupted. */
const keepOpen = Effect.map(Deferred.make<Exit.Exit<unknown>>(), (ended) => ({
  app: withSocket(() => Effect.onExit(Effect.never, (exit) => Deferred.succeed(ended, exit))),
  ended: Effect.map(Deferred.await(ended), Exit.isInterrupted)
}))

const open = (port: number, options: ConstructorParameters<typeof WebSocket>[2] = {}) =>
  Effect.promise(async () => {
    const client = new WebSocket(`ws://127.0.0.1:${port}/health`, options)
    const texts: Array<string> = []
    client.on("message", (text) => texts.push(String(text)))
    const closed = once(client, "close").then(([code, reason]) => [code, String(reason)])
    await once(client, "open")
    return { client, closed: Effect.promise(() => closed), texts }
  })

/** Completes when the server has received everything that the client sent before. */
const roundTrip = (client: WebSocket) =>
  Effect.promise(() => {
    const answered = once(client, "pong")
    client.ping()
    return answered
  })

const upgrading = (method: string, ...more: ReadonlyArray<string>) => [
  `${method} /health HTTP/1.1`,
  "host: here",
  "connection: Upgrade",
  "upgrade: websocket",
  "sec-websocket-version: 13",
  ...more,
  "",
  ""
]

const key = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=="

describe("a socket", () => {
  it.scoped("sends texts in order, and a close frame", () =>
    Effect.gen(function*() {
      const { port } = yield* listening(withSocket((socket) =>
        Effect.zipRight(Effect.forEach(["one", "two", "three"], socket.send), socket.close(4001, "that was all"))
      ))
      const { closed, texts } = yield* open(port)
      assert.deepStrictEqual(yield* closed, [4001, "that was all"])
      assert.deepStrictEqual(texts, ["one", "two", "three"])
    }))

  it.scoped("closes with its scope", () =>
    Effect.gen(function*() {
      const { port } = yield* listening(withSocket((socket) => socket.send("only")))
      const { closed } = yield* open(port)
      assert.deepStrictEqual(yield* closed, [1000, ""])
    }))

  it.scoped("closes with 1011 after a defect", () =>
    Effect.gen(function*() {
      const { port } = yield* listening(withSocket(() => Effect.die("secret")))
      const { closed } = yield* open(port)
      assert.deepStrictEqual(yield* closed, [1011, ""])
    }))

  it.scoped("applies backpressure for a client that does not read", () =>
    Effect.gen(function*() {
      const text = "x".repeat(65_536)
      const count = 2_000
      let sentCount = 0
      const sending = (socket: ServerSocket) =>
        Effect.zipRight(
          Effect.repeatN(Effect.tap(socket.send(text), () => sentCount++), count - 1),
          socket.close(1000, "")
        )
      const { port, url } = yield* listening(withSocket(sending))
      const { client, closed, texts } = yield* open(port)
      client.pause()
      yield* Effect.repeatN(Effect.promise(() => fetch(url)), 20)
      assert.isBelow(sentCount, count)
      client.resume()
      yield* closed
      assert.deepStrictEqual([sentCount, texts.length], [count, count])
    }))

  it.scoped("unblocks its sender when the client disconnects", () =>
    Effect.gen(function*() {
      const afterwards = yield* Deferred.make<void>()
      const { port } = yield* listening(withSocket((socket) =>
        Effect.uninterruptible(
          socket.closed.pipe(
            Effect.zipRight(socket.send("too late")),
            Effect.zipRight(socket.close(1000, "too late")),
            Effect.zipRight(socket.closed),
            Effect.zipRight(Deferred.succeed(afterwards, undefined))
          )
        )
      ))
      const { client } = yield* open(port)
      client.terminate()
      yield* Deferred.await(afterwards)
    }))

  for (
    const [how, leave] of [
      ["says goodbye", (client: WebSocket) => client.close(1000)],
      ["breaks off", (client: WebSocket) => client.terminate()],
      ["sends a frame of more than 4 KiB", (client: WebSocket) => client.send("x".repeat(4_097))]
    ] as const
  ) {
    it.scoped(`interrupts the work when its client ${how}`, () =>
      Effect.gen(function*() {
        const { app, ended } = yield* keepOpen
        const { port } = yield* listening(app)
        const { client } = yield* open(port)
        leave(client)
        assert.isTrue(yield* ended)
      }))
  }

  it.scopedLive("passes frames in both directions, also large ones and those that came before anybody listened", () =>
    Effect.gen(function*() {
      const heard: Array<FrameEvent> = []
      const over = yield* Deferred.make<void>()
      const { port } = yield* listening(withSocket(({ frames }) =>
        Effect.gen(function*() {
          frames.post("ready")
          yield* Effect.sleep("50 millis")
          frames.hear((event) => {
            heard.push(event)
            if (event._tag === "Text") frames.post(event.text.toUpperCase())
            if (event._tag === "Bytes") frames.post(Uint8Array.from(event.bytes, (byte) => byte + 1))
            if (event._tag === "Closed") Deferred.unsafeDone(over, Effect.void)
          })
          yield* Deferred.await(over)
        }).pipe(Effect.uninterruptible)
      ))
      const { client, texts } = yield* open(port)
      client.send("early")
      while (!texts.includes("EARLY")) yield* Effect.sleep("10 millis")
      client.send("x".repeat(100_000))
      yield* roundTrip(client)
      client.send(Uint8Array.of(1, 2))
      yield* roundTrip(client)
      client.close(4_000)
      yield* Deferred.await(over)
      assert.deepStrictEqual(heard.map(({ _tag }) => _tag), ["Text", "Text", "Bytes", "Closed"])
      assert.deepStrictEqual(heard.at(-1), { _tag: "Closed", code: 4_000 })
      assert.deepStrictEqual(texts.map((text) => text.slice(0, 5)), ["ready", "EARLY", "XXXXX", "\u0002\u0003"])
    }))

  it.scoped("disconnects a client that does not answer a ping within 30 seconds", () =>
    Effect.gen(function*() {
      const { app, ended } = yield* keepOpen
      const { port } = yield* listening(app)
      const silent = yield* open(port, { autoPong: false })
      const lively = yield* open(port)
      yield* roundTrip(silent.client)
      for (const _ of [1, 2, 3]) {
        yield* roundTrip(lively.client)
        const asked = once(lively.client, "ping")
        yield* TestClock.adjust("30 seconds")
        yield* Effect.promise(() => asked)
      }
      assert.deepStrictEqual(yield* silent.closed, [1006, ""])
      assert.isTrue(yield* ended)
      assert.strictEqual(lively.client.readyState, WebSocket.OPEN)
    }))

  it.scoped("negotiates no compression", () =>
    Effect.gen(function*() {
      const { port } = yield* listening((yield* keepOpen).app)
      const { client } = yield* open(port, { perMessageDeflate: true })
      assert.strictEqual(client.extensions, "")
    }))
})

describe("closing", () => {
  it.scoped("sends a close frame to every client", () =>
    Effect.gen(function*() {
      const { app, ended } = yield* keepOpen
      const { listener, port } = yield* listening(app)
      const clients = yield* Effect.all([open(port), open(port)])
      yield* Effect.promise(() => listener.finish(0))
      for (const { closed } of clients) assert.deepStrictEqual(yield* closed, [1001, "The server is shutting down"])
      assert.isTrue(yield* ended)
    }))

  it.scoped("answers later requests with 503", () =>
    Effect.gen(function*() {
      const { listener, port, url } = yield* listening((yield* keepOpen).app)
      yield* Effect.promise(() => listener.finish(0))
      assert.strictEqual((yield* Effect.promise(() => fetch(`${url}/health`))).status, 503)
      assert.match(yield* say(port, upgrading("GET", key)), /^HTTP\/1\.1 503 /)
    }))
})

describe("an upgrade request", () => {
  it.scoped("is left to others when the path is not a route of the API", () =>
    Effect.gen(function*() {
      const { port } = yield* listening((yield* keepOpen).app)
      const lines = upgrading("GET", key).with(0, "GET /chat HTTP/1.1")
      assert.match(yield* say(port, lines), /^HTTP\/1\.1 418 Mine/)
    }))

  it.scoped("ends with the response of the application when it does not upgrade", () =>
    Effect.gen(function*() {
      const { port } = yield* listening(Effect.succeed(HttpServerResponse.text("not you", { status: 403 })))
      assert.match(yield* say(port, upgrading("GET", key)), /^HTTP\/1\.1 403 [^]*connection: close[^]*not you$/i)
    }))

  it.scoped("can be answered with a long stream", () =>
    Effect.gen(function*() {
      const pieces = Stream.repeatValue(new TextEncoder().encode("x".repeat(65_536))).pipe(Stream.take(200))
      const { port } = yield* listening(Effect.succeed(HttpServerResponse.stream(pieces)))
      const said = yield* say(port, upgrading("GET", key))
      assert.strictEqual(said.replaceAll(/[^x]/g, "").length, 200 * 65_536)
      assert.match(said, /\r\n0\r\n\r\n$/)
    }))

  it.scoped("is rejected when its handshake is invalid", () =>
    Effect.gen(function*() {
      const { port } = yield* listening((yield* keepOpen).app)
      assert.match(yield* say(port, upgrading("GET", "sec-websocket-key: short")), /^HTTP\/1\.1 400 /)
      assert.match(yield* say(port, upgrading("GET")), /^HTTP\/1\.1 400 /)
    }))

  it.scoped("is answered over HTTP when it asks for another protocol", () =>
    Effect.gen(function*() {
      const echo = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers, method, text }) =>
        Effect.map(Effect.orDie(text), (text) =>
          HttpServerResponse.text(`${method} ${headers.upgrade} ${text}`)))
      const { port } = yield* listening(echo)
      const post = [...upgrading("POST", key, "content-length: 5").slice(0, -1), "hello"]
        .with(2, "connection: close, Upgrade")
      assert.match(yield* say(port, post), /^HTTP\/1\.1 200 [^]*POST undefined hello$/)
    }))
})
