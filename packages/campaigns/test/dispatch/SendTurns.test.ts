import { assert, describe } from "@effect/vitest"
import { BusinessTime, CampaignId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { type Carrier, Carriers, NotAnswered } from "@trunkline/telephony"
import { Effect, Stream } from "effect"
import { makeSendTurns } from "../../src/dispatch/SendTurns.js"
import { Campaign } from "../../src/index.js"
import { campaigns, over } from "../Fixtures.js"
import { created, running, start } from "./GatedFixtures.js"

/** Milliseconds that each dial takes before its request, in turn: a first one that is slow, and changing ones. */
const preparations = [640, 5, 90, 0, 180, 15, 60, 3]

/** A carrier whose requests take some time to prepare, and the moments at which they left. */
const slowCarrier = (takesTurns: boolean, sent: Array<number>): Carrier => {
  let dials = 0
  return {
    provider: "simulator",
    protocol: "test",
    takesTurns,
    dedupe: () => ({ _tag: "None" }),
    place: ({ attempt_id, turn = Effect.void }) =>
      Effect.gen(function*() {
        if (takesTurns) yield* BusinessTime.sleep(preparations[dials++ % preparations.length] ?? 0)
        yield* turn
        sent.push(yield* BusinessTime.now)
        const answer = new NotAnswered({ status: "failed", reason: null })
        return { provider_call_id: attempt_id, answer: Effect.fail(answer), cancel: Effect.void }
      }),
    lookup: () => Effect.succeed({ _tag: "NotFound" }),
    offers: Stream.empty
  }
}

const gapsAt = (attempts_per_second: number, takesTurns: boolean) => {
  const sent: Array<number> = []
  const carriers = Carriers.layerOf([slowCarrier(takesTurns, sent)])
  return Effect.gen(function*() {
    yield* running
    yield* over((yield* created({ attempts_per_second })).campaign_id)
    return sent.slice(1).map((at, index) => at - (sent[index] ?? 0))
  }).pipe(Effect.provide(campaigns({ people: 60, spoil: carriers })))
}

describe("the requests of a campaign", () => {
  virtualTest("leave apart, whatever their preparation takes, and catch up", () =>
    Effect.gen(function*() {
      const gaps = yield* gapsAt(5, true)
      assert.lengthOf(gaps, 59)
      assert.isAtLeast(Math.min(...gaps), 190)
      const whole = gaps.reduce((sum, gap) => sum + gap, 0)
      assert.closeTo(whole, 59 * 200, 640)
    }), start)

  virtualTest(
    "leave at the rate of their claims where the carrier takes no turns",
    () => Effect.map(gapsAt(5, false), (gaps) => assert.deepStrictEqual(new Set(gaps), new Set([200]))),
    start
  )

  virtualTest("are held up for their own campaign alone, and not above 20 a second", () =>
    Effect.gen(function*() {
      const turnOf = makeSendTurns()
      const slow = yield* Effect.provide(created({ attempts_per_second: 5 }), campaigns({ people: 1 }))
      const fast = new Campaign({ ...slow, app_config: { ...slow.app_config, attempts_per_second: 25 } })
      const from = yield* BusinessTime.now
      const other = new Campaign({ ...slow, campaign_id: CampaignId.make("camp-0000000000ff") })
      for (const campaign of [fast, fast, fast, other, slow]) yield* turnOf(campaign)
      assert.strictEqual(yield* BusinessTime.now, from)
      yield* turnOf(slow)
      assert.closeTo((yield* BusinessTime.now) - from, 196, 1)
    }), start)
})
