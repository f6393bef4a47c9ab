import { HttpServerResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { testEngine, testKeys } from "@trunkline/http-api/testing"
import { serve } from "@trunkline/node-http"
import { Deferred, Effect, Stream } from "effect"
import { connect } from "node:net"
import { listening } from "./Listening.js"

const bytes = new TextEncoder().encode("first")

describe("a streamed response", () => {
  it.scoped("is cut when its stream fails", () =>
    Effect.gen(function*() {
      const signal = yield* Deferred.make<void>()
      const breaking = Stream.concat(
        Stream.make(bytes),
        Stream.fromEffect(Effect.zipRight(Deferred.await(signal), Effect.die("no more")))
      )
      const { url } = yield* listening(Effect.succeed(HttpServerResponse.stream(breaking)))
      const { body, status } = yield* Effect.promise(() => fetch(url))
      assert.strictEqual(status, 200)
      assert.isNotNull(body)
      const reader = body.getReader()
      assert.deepStrictEqual(new Uint8Array((yield* Effect.promise(() => reader.read())).value ?? []), bytes)
      yield* Deferred.succeed(signal, undefined)
      const rest = yield* Effect.promise(() => reader.read().then(() => "ended", () => "cut"))
      assert.strictEqual(rest, "cut")
    }))
})

describe("an event stream", () => {
  const frame = new Uint8Array(16_384).fill(32)
  const events = (frames: Stream.Stream<Uint8Array>) =>
    Effect.succeed(HttpServerResponse.stream(frames, { contentType: "text/event-stream" }))

  it.scopedLive("is cut when its client does not read within the timeout", () =>
    Effect.gen(function*() {
      const cut = yield* Deferred.make<void>()
      let written = 0
      const endless = Stream.repeatEffect(Effect.sync(() => (written += 1, frame))).pipe(
        Stream.ensuring(Deferred.succeed(cut, undefined))
      )
      const { port } = yield* listening(events(endless), { readTimeout: 200 })
      const socket = connect(port, "127.0.0.1")
      socket.pause()
      socket.write("GET / HTTP/1.1\r\nHost: here\r\n\r\n")
      yield* Deferred.await(cut)
      socket.destroy()
      assert.isBelow(written * frame.length, 64_000_000, "what nobody reads is not written")
    }))

  it.scopedLive("writes frames that are ready together at once", () =>
    Effect.gen(function*() {
      const { port } = yield* listening(events(Stream.make(bytes, bytes, bytes)))
      const response = yield* Effect.promise(async () => {
        const socket = connect(port, "127.0.0.1").setEncoding("utf8")
        socket.write("GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        return (await socket.toArray()).join("")
      })
      assert.isTrue(response.endsWith("\r\n\r\nf\r\nfirstfirstfirst\r\n0\r\n\r\n"), "a single HTTP chunk")
    }))

  it.scopedLive("stays open while comments are sent", () =>
    Effect.gen(function*() {
      const quiet = Stream.repeatEffect(Effect.as(Effect.sleep("80 millis"), bytes)).pipe(Stream.take(8))
      const { url } = yield* listening(events(quiet), { readTimeout: 200 })
      const text = yield* Effect.promise(() => fetch(url).then((answer) => answer.text()))
      assert.strictEqual(text, "first".repeat(8))
    }))
})

describe("a prefix", () => {
  it("precedes every path and every link, with or without slashes", async () => {
    const { close, url } = await serve(testEngine, { port: 0, prefix: "voice/" })
    const deployments = "/v1/orgs/acme/workspaces/main/deployments"
    const answer = await fetch(`${url}${deployments}?offset=1`, { headers: { "api-subscription-key": testKeys.main } })
    const page = JSON.parse(await answer.text())
    const outside = await Promise.all(
      ["/health", "/voice", "/voicehealth"].map((path) => fetch(new URL(path, url)).then(({ status }) => status))
    )
    await close()
    assert.strictEqual(new URL(url).pathname, "/voice")
    assert.strictEqual(page.prev_page_uri, `/voice${deployments}?offset=0`)
    assert.deepStrictEqual(outside, [404, 404, 404])
  })
})
