import { type HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Option, type Scope, Stream } from "effect"
import { makeResponder } from "../src/FetchHandler.js"

const url = "http://here/health"
const bytes = new TextEncoder().encode("first")

const ask = (app: HttpApp.Default<never, Scope.Scope>, request = new Request(url)) =>
  Effect.flatMap(makeResponder(app), ({ respond }) => Effect.promise(() => respond(request)))

/** An app that never responds, and a signal of its interruption. */
const endless = Effect.map(Deferred.make<void>(), (ended) => ({
  work: Effect.ensuring(Effect.interruptible(Effect.never), Deferred.succeed(ended, undefined)),
  ended: Deferred.await(ended)
}))

const read = (reader: ReadableStreamDefaultReader<Uint8Array>) =>
  Effect.promise(() => reader.read().then(({ done }) => done ? "ended" : "piece", () => "cut"))

const readerOf = ({ body }: Response) => {
  assert.isNotNull(body)
  return body.getReader()
}

describe("the work for a request", () => {
  it.effect("is interrupted when the client disconnects", () =>
    Effect.gen(function*() {
      const client = new AbortController()
      const { ended, work } = yield* endless
      const { respond } = yield* makeResponder(
        Effect.zipRight(Effect.sync(() => client.abort()), work)
      )
      const response = respond(new Request(url, { signal: client.signal }))
      yield* ended
      assert.strictEqual((yield* Effect.promise(() => response)).status, 499)
    }))

  it.effect("does not start when the client has disconnected", () =>
    Effect.gen(function*() {
      const { status } = yield* ask(Effect.dieMessage("begun"), new Request(url, { signal: AbortSignal.abort() }))
      assert.strictEqual(status, 499)
    }))

  it.effect("releases its resources when the last byte is read", () =>
    Effect.gen(function*() {
      let isHeld = false
      const holding = Effect.acquireRelease(Effect.sync(() => isHeld = true), () => Effect.sync(() => isHeld = false))
      const stream = HttpServerResponse.stream(Stream.concat(Stream.make(bytes), Stream.make(bytes)))
      const response = yield* ask(Effect.as(holding, stream))
      assert.isTrue(isHeld)
      yield* Effect.promise(() => response.arrayBuffer())
      assert.isFalse(isHeld)
      yield* ask(Effect.as(holding, stream), new Request(url, { method: "HEAD" }))
      assert.isFalse(isHeld)
      yield* ask(Effect.as(holding, HttpServerResponse.text("whole")))
      assert.isFalse(isHeld)
    }))
})

describe("a streamed response", () => {
  const streaming = Effect.map(Deferred.make<void>(), (ended) => ({
    app: Effect.succeed(
      HttpServerResponse.stream(
        Stream.ensuring(Stream.concat(Stream.make(bytes), Stream.never), Deferred.succeed(ended, undefined))
      )
    ),
    ended: Deferred.await(ended)
  }))

  it.effect("stops its source when it is cancelled", () =>
    Effect.gen(function*() {
      const { app, ended } = yield* streaming
      const reader = readerOf(yield* ask(app))
      assert.strictEqual(yield* read(reader), "piece")
      yield* Effect.promise(() => reader.cancel())
      yield* ended
    }))

  it.effect("is cut when the client disconnects, even while no one reads it", () =>
    Effect.gen(function*() {
      const client = new AbortController()
      const { app, ended } = yield* streaming
      const response = yield* ask(app, new Request(url, { signal: client.signal }))
      client.abort()
      yield* ended
      assert.strictEqual(yield* read(readerOf(response)), "cut")
    }))

  it.effect("is cut when its stream fails, without details", () =>
    Effect.gen(function*() {
      const signal = yield* Deferred.make<void>()
      const breaking = Stream.concat(
        Stream.make(bytes),
        Stream.fromEffect(Effect.zipRight(Deferred.await(signal), Effect.die(new Error("secret"))))
      )
      const reader = readerOf(yield* ask(Effect.succeed(HttpServerResponse.stream(breaking))))
      assert.strictEqual(yield* read(reader), "piece")
      yield* Deferred.succeed(signal, undefined)
      assert.strictEqual(
        yield* Effect.promise(() => reader.read().then(String, String)),
        "Error: The response broke off"
      )
    }))

  it.effect("is produced no faster than it is read", () =>
    Effect.gen(function*() {
      let produced = 0
      const pieces = Stream.repeatEffect(Effect.sync(() => (produced++, bytes)))
      const reader = readerOf(yield* ask(Effect.succeed(HttpServerResponse.stream(pieces))))
      yield* Effect.repeatN(read(reader), 9)
      assert.isBelow(produced, 20)
      yield* Effect.promise(() => reader.cancel())
    }))
})

describe("the body of a request", () => {
  const reading = Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    ({ stream, text }) =>
      Effect.all([Effect.exit(Stream.runCollect(Stream.take(stream, 1))), Effect.exit(text)]).pipe(
        Effect.map((exits) => HttpServerResponse.text(exits.map(({ _tag }) => _tag).join(" ")))
      )
  )

  const post = (body: RequestInit["body"] | null) =>
    new Request(url, { method: "POST", body: body ?? null, duplex: "half" })

  it.effect("may be absent", () =>
    Effect.gen(function*() {
      const response = yield* ask(reading, post(null))
      assert.strictEqual(yield* Effect.promise(() => response.text()), "Success Success")
    }))

  it.effect("is read on, not cancelled, when the application stops reading", () =>
    Effect.gen(function*() {
      const ended = yield* Deferred.make<string>()
      let pieces = 3
      const body = new ReadableStream({
        pull: (controller) => {
          if (pieces-- > 0) return controller.enqueue(bytes)
          controller.close()
          Deferred.unsafeDone(ended, Effect.succeed("read"))
        },
        cancel: () => Deferred.unsafeDone(ended, Effect.succeed("cancelled"))
      }, { highWaterMark: 0 })
      const first = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ stream }) =>
        Effect.as(Effect.orDie(Stream.runDrain(Stream.take(stream, 1))), HttpServerResponse.empty()))
      assert.strictEqual((yield* ask(first, post(body))).status, 204)
      assert.strictEqual(yield* Deferred.await(ended), "read")
    }))

  it.effect("fails instead of being empty when it was read before", () =>
    Effect.gen(function*() {
      const request = post("text")
      yield* Effect.promise(() => request.text())
      const response = yield* ask(reading, request)
      assert.strictEqual(yield* Effect.promise(() => response.text()), "Failure Failure")
    }))
})

describe("closing", () => {
  it.effect("ends subscriptions, and waits for other responses", () =>
    Effect.gen(function*() {
      const go = yield* Deferred.make<void>()
      const app = Effect.map(HttpServerRequest.HttpServerRequest, ({ method }) =>
        method === "GET"
          ? HttpServerResponse.stream(Stream.concat(Stream.make(bytes), Stream.never), {
            contentType: "text/event-stream"
          })
          : HttpServerResponse.stream(
            Stream.concat(Stream.make(bytes), Stream.as(Stream.fromEffect(Deferred.await(go)), bytes))
          ))
      const { finish, respond } = yield* makeResponder(app)
      const events = readerOf(yield* Effect.promise(() => respond(new Request(url))))
      const answer = yield* Effect.promise(() => respond(new Request(url, { method: "POST" })))
      let isFinished = false
      const finished = finish(10_000).then(() => isFinished = true)
      assert.strictEqual(yield* read(events), "piece")
      assert.strictEqual(yield* read(events), "ended")
      assert.isFalse(isFinished)
      yield* Deferred.succeed(go, undefined)
      assert.strictEqual(yield* Effect.promise(() => answer.text()), "firstfirst")
      yield* Effect.promise(() => finished)
      assert.strictEqual((yield* Effect.promise(() => respond(new Request(url)))).status, 503)
    }))

  it.effect("cuts responses that exceed the timeout, whether or not they have begun", () =>
    Effect.gen(function*() {
      const { ended, work } = yield* endless
      const stuck = Stream.concat(Stream.make(bytes), Stream.never)
      const { finish, respond } = yield* makeResponder(
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method }) =>
          method === "GET" ? Effect.succeed(HttpServerResponse.stream(stuck)) : work)
      )
      const reader = readerOf(
        yield* Effect.promise(() =>
          respond(new Request(url))
        )
      )
      const waiting = respond(new Request(url, { method: "POST" }))
      yield* Effect.promise(() => finish(1))
      yield* ended
      assert.strictEqual((yield* Effect.promise(() => waiting)).status, 499)
      assert.strictEqual(yield* read(reader), "cut")
    }))
})

describe("the address of a client", () => {
  const app = Effect.map(
    HttpServerRequest.HttpServerRequest,
    ({ remoteAddress }) => HttpServerResponse.text(Option.getOrElse(remoteAddress, () => "unknown"))
  )

  it.effect("is that which the host tells", () =>
    Effect.gen(function*() {
      const { respond } = yield* makeResponder(app, { prefix: "/voice" })
      for (const remoteAddress of ["203.0.113.9", undefined]) {
        const request = new Request("http://here/voice/health")
        const response = yield* Effect.promise(() => respond(request, { remoteAddress }))
        assert.strictEqual(yield* Effect.promise(() => response.text()), remoteAddress ?? "unknown")
      }
    }))
})
