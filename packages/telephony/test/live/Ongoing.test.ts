import { assert, describe } from "@effect/vitest"
import { BusinessTime, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { CallHandler, type CallReport, LiveEvent, LiveFeed, OngoingCalls, Outbounds } from "@trunkline/telephony"
import { Chunk, Effect, Layer, Schema, Stream } from "effect"
import { outboundBody } from "../Calling.js"
import { scope, telephony } from "../Fixtures.js"

const report: CallReport = {
  agent_done: true,
  ended_by: "agent",
  language_name: "English",
  transcript: [],
  final_agent_variables: {},
  output_agent_variables: {},
  average_agent_response_seconds: null,
  average_user_response_seconds: null,
  business_retry: false,
  reschedule_at: null,
  fault: null
}

/** Says a sentence every ten seconds, the second in Hindi. */
const talkative = Layer.succeed(CallHandler, {
  handle: (leg) =>
    Effect.gen(function*() {
      for (const [text, language_name] of [["Hello.", "English"], ["नमस्ते", "Hindi"], ["Bye.", "English"]] as const) {
        yield* leg.say({ text, language_name, interruptible: true })
        yield* Effect.sleep("10 seconds")
      }
      yield* leg.hangUp
      return report
    }).pipe(Effect.catchAll(() => Effect.succeed(report)))
})

const live = Layer.provideMerge(telephony({ handler: talkative }), LiveFeed.layer)

const json = Schema.encodeSync(LiveEvent)

describe("a feed that begins with the calls that go on", () => {
  virtualTest("tells what was said so far, and each turn once", () =>
    Effect.gen(function*() {
      const [feed, ongoing, outbounds] = [yield* LiveFeed, yield* OngoingCalls, yield* Outbounds]
      yield* Effect.fork(outbounds.run)
      const id = yield* outbounds.start(scope, outboundBody())
      // Turns from here on are in the feed as well as in the snapshot.
      const events = yield* feed.watch(scope)
      yield* BusinessTime.sleep("20 seconds")
      const { events: calls, isNews } = yield* ongoing.snapshot(scope)
      const [call, ...others] = calls.map((event) => json(event))
      assert.deepStrictEqual(others, [])
      if (call?.type !== "attempt.ongoing") return assert.fail("The call is not in the snapshot")
      assert.include(call, { attempt_id: id, kind: "outbound", campaign_id: null })
      assert.notInclude(JSON.stringify(call), "9876543210")
      assert.deepStrictEqual(call.turns.map(({ en_text, role, text }) => [role, text, en_text]), [
        ["agent", "Hello.", null],
        ["agent", "नमस्ते", null]
      ])
      assert.isTrue(call.answered_at !== null && call.answered_at > call.started_at)
      const news = Stream.takeUntil(Stream.filter(events, isNews), ({ type }) => type === "attempt.ended")
      const told = Chunk.toReadonlyArray(yield* Stream.runCollect(news))
      assert.deepStrictEqual(
        told.map((event) => event.type === "turn" ? event.text : event.type),
        ["Bye.", "attempt.ended"]
      )
      assert.deepStrictEqual((yield* ongoing.snapshot(scope)).events, [])
    }).pipe(Effect.scoped, Effect.provide(live)))

  virtualTest(
    "tells a call that rings as one that nobody has answered, and none of another workspace",
    () =>
      Effect.gen(function*() {
        const [ongoing, outbounds] = [yield* OngoingCalls, yield* Outbounds]
        yield* Effect.fork(outbounds.run)
        yield* outbounds.start(scope, outboundBody())
        yield* BusinessTime.sleep("1 second")
        const [call] = (yield* ongoing.snapshot(scope)).events
        assert.deepInclude(call, { type: "attempt.ongoing", answered_at: null, interaction_id: null, turns: [] })
        const other = new Scope({ org_id: OrgId.make("other"), workspace_id: WorkspaceId.make("main") })
        assert.deepStrictEqual((yield* ongoing.snapshot(other)).events, [])
      }).pipe(Effect.provide(live))
  )
})
