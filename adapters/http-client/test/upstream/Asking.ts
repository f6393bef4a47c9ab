import { assert } from "@effect/vitest"
import { makeUpstream, type UpstreamFailure, type UpstreamOptions, type UpstreamResponse } from "@trunkline/http-client"
import { fakeServer, type ResponseScript, type Step } from "@trunkline/http-client/testing"
import { macroTask } from "@trunkline/kernel"
import { Chunk, Clock, Effect, Stream, TestClock } from "effect"

/** A scripted server, and one of ours that posts to it. */
export const serverBefore = (script: ResponseScript, options: Partial<UpstreamOptions> = {}) =>
  Effect.gen(function*() {
    const server = yield* fakeServer(script)
    const upstream = yield* makeUpstream("speech server", { baseUrl: `${server.origin}/v1`, ...options })
    return { server, ...upstream }
  })

/** A request that says little. */
export const hello = { path: "/say", body: { text: "hello" }, accept: "*/*" }

/** The body of an answer as text. */
export const textOf = ({ bytes }: UpstreamResponse): Effect.Effect<string, UpstreamFailure> =>
  Effect.map(Stream.runCollect(bytes), (pieces) => Buffer.concat(Chunk.toReadonlyArray(pieces)).toString())

/** Looks again in every turn of the event loop until something holds. */
export const until = (holds: () => boolean) =>
  Effect.iterate(0, { while: () => !holds(), body: () => Effect.as(macroTask, 0) })

/** A whole answer. */
export const bodySteps = (body: string, type = "text/plain"): ReadonlyArray<Step> => [
  { status: 200, headers: { "content-type": type, "content-length": String(Buffer.byteLength(body)) } },
  { write: body },
  "end"
]

/** Another script for each request, the last for all that follow. */
export const inTurn = (...scripts: ReadonlyArray<ReadonlyArray<Step>>): ResponseScript => {
  let at = 0
  return () => scripts[Math.min(at++, scripts.length - 1)] ?? []
}

/** Comes back when somebody pauses, and asserts for how many milliseconds. */
export const untilPause = (millis: number) =>
  Effect.gen(function*() {
    const sleeps = yield* Effect.repeat(Effect.zipLeft(TestClock.sleeps(), macroTask), { until: Chunk.isNonEmpty })
    const now = yield* Clock.currentTimeMillis
    assert.deepStrictEqual(Chunk.toReadonlyArray(sleeps), [now + millis])
  })

/** Lets a pause of so many milliseconds go by. */
export const afterPause = (millis: number) => Effect.zipRight(untilPause(millis), TestClock.adjust(millis))
