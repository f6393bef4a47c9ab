import { HttpServerResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { testEngine, testKeys } from "@trunkline/http-api/testing"
import { serve } from "@trunkline/node-http"
import { Deferred, Effect, Stream } from "effect"
import { listening } from "./Listening.js"

const bytes = new TextEncoder().encode("first")

describe("an answer that is a stream", () => {
  it.scoped("is cut where it breaks", () =>
    Effect.gen(function*() {
      const seen = yield* Deferred.make<void>()
      const breaking = Stream.concat(
        Stream.make(bytes),
        Stream.fromEffect(Effect.zipRight(Deferred.await(seen), Effect.die("no more")))
      )
      const { url } = yield* listening(Effect.succeed(HttpServerResponse.stream(breaking)))
      const { body, status } = yield* Effect.promise(() => fetch(url))
      assert.strictEqual(status, 200)
      assert.isNotNull(body)
      const reader = body.getReader()
      assert.deepStrictEqual(new Uint8Array((yield* Effect.promise(() => reader.read())).value ?? []), bytes)
      yield* Deferred.succeed(seen, undefined)
      const rest = yield* Effect.promise(() => reader.read().then(() => "ended", () => "cut"))
      assert.strictEqual(rest, "cut")
    }))
})

describe("a prefix", () => {
  it("stands before every path and every link, with slashes or without", async () => {
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
