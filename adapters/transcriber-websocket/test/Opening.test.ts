import { assert, describe, it } from "@effect/vitest"
import { deepgram, ListenerWebSocket, vosk } from "@trunkline/transcriber-websocket"
import { deepgramServer, speechServer, voskServer } from "@trunkline/transcriber-websocket/testing"
import { Cause, Effect, Exit, Fiber, Redacted, Scope, TestClock } from "effect"
import { key, logged, openBefore, opened, until } from "./Opened.js"
import { say } from "./Say.js"

describe("opening", () => {
  it.scoped("tells Deepgram the format, the language and the key", () =>
    Effect.gen(function*() {
      const { server } = yield* opened(deepgramServer(), { headers: { "x-account": "7" } })
      const [peer] = server.peers
      const query = Object.fromEntries(new URL(peer?.request.url ?? "", "ws://host").searchParams)
      assert.deepInclude(query, {
        encoding: "linear16",
        sample_rate: "8000",
        interim_results: "true",
        language: "en-IN"
      })
      assert.strictEqual(peer?.request.headers.authorization, `Token ${key}`)
      assert.strictEqual(peer?.request.headers["x-account"], "7")
    }))

  it.scoped("resamples to the rate that the server needs", () =>
    Effect.gen(function*() {
      const { flush, push, server } = yield* opened(voskServer(), { dialect: vosk(), rate: 16_000 })
      push((yield* say("Good morning.", 8_000)).samples)
      push(new Float32Array(800))
      assert.strictEqual(yield* flush, "Good morning.")
      assert.strictEqual(server.peers[0]?.messages[0], `{"config":{"sample_rate":16000}}`)
    }))

  const statuses = [
    [401, "ModelUnavailable", true],
    [403, "ModelUnavailable", true],
    [429, "ModelRateLimited", undefined],
    [503, "ModelUnavailable", undefined],
    [302, "ModelFailed", undefined],
    [500, "ModelFailed", undefined]
  ] as const
  for (const [status, tag, lasting] of statuses) {
    it.scoped(`fails with ${tag} on status ${status}, without repeating the key`, () =>
      Effect.gen(function*() {
        const server = yield* speechServer(deepgramServer())
        server.refuse({ status, headers: { "retry-after": "7", location: server.url } })
        const { lines, result } = yield* logged(Effect.flip(openBefore(server)))
        assert.strictEqual(result._tag, tag)
        if (result._tag === "ModelUnavailable") assert.strictEqual(result.lasting, lasting)
        assert.strictEqual(server.handshakes(), 1)
        assert.notInclude([...lines, JSON.stringify(result), result.stack].join("\n"), key)
      }))
  }

  it.scoped("fails when it takes too long, and drops the connection", () =>
    Effect.gen(function*() {
      const server = yield* speechServer(deepgramServer())
      server.refuse("hang")
      const opening = yield* Effect.fork(Effect.flip(openBefore(server)))
      yield* until(() => server.handshakes() === 1)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(opening))._tag, "ModelTimedOut")
      yield* until(() => server.open() === 0)
    }))

  it.scoped("fails when nobody listens, or the name does not resolve", () =>
    Effect.gen(function*() {
      const { url } = yield* Effect.scoped(speechServer(deepgramServer()))
      const missing = () => Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" }))
      for (const options of [{ url }, { url: "wss://speech.example/", lookup: missing }]) {
        const server = yield* speechServer(deepgramServer())
        const failure = yield* Effect.flip(openBefore(server, options))
        assert.strictEqual(failure._tag, "ModelUnavailable")
      }
    }))

  it.scoped("reaches private hosts only where allowed, by address or by name", () =>
    Effect.gen(function*() {
      const server = yield* speechServer(deepgramServer())
      const privately = async () => [{ address: "127.0.0.1", family: 4 }] as const
      for (const options of [{}, { url: "wss://speech.example/", lookup: privately }, { url: "ws://[::1]:1/" }]) {
        const failure = yield* Effect.flip(openBefore(server, { ...options, allowPrivateUrls: false }))
        assert.deepInclude(failure, { _tag: "ModelUnavailable", lasting: true })
      }
      assert.strictEqual(server.handshakes(), 0)
    }))

  it.effect("dies on a URL that is not allowed, without repeating it", () =>
    Effect.forEach(
      ["ws://speech.example/?key=hush", "https://speech.example/?key=hush", "wss://a:hush@b/", "hush"],
      (url) =>
        Effect.gen(function*() {
          const exit = yield* Effect.exit(ListenerWebSocket.make({ url, dialect: deepgram() }))
          assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
          assert.notInclude(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "hush")
        })
    ))
})

describe("closing the scope", () => {
  const dialects = [["deepgram", deepgramServer(), deepgram(), `{"type":"CloseStream"}`], [
    "vosk",
    voskServer(),
    vosk(),
    `{"eof" : 1}`
  ]] as const
  for (const [name, protocol, dialect, closing] of dialects) {
    it.scoped(`ends the stream and the socket of ${name}`, () =>
      Effect.gen(function*() {
        const server = yield* speechServer(protocol)
        const scope = yield* Scope.make()
        const { push } = yield* Scope.extend(openBefore(server, { dialect, apiKey: Redacted.make(key) }), scope)
        push(new Float32Array(8_000))
        yield* Scope.close(scope, Exit.void)
        yield* until(() => server.open() === 0)
        assert.strictEqual(server.peers[0]?.messages.at(-1), closing)
        push(new Float32Array(8_000))
      }))
  }

  it.scoped("drops the connection of a server that does not answer", () =>
    Effect.gen(function*() {
      const server = yield* speechServer((peer) => () => peer.stall())
      const scope = yield* Scope.make()
      const { push } = yield* Scope.extend(openBefore(server), scope)
      push(new Float32Array(8_000))
      yield* until(() => (server.peers[0]?.messages.length ?? 0) > 0)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* until(() => closing.unsafePoll() === null)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(closing)
    }))
})
