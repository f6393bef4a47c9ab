import { assert, describe } from "@effect/vitest"
import { Campaign, CampaignStore, ContactStore, DialQueue, newContact } from "@trunkline/campaigns"
import { BusinessTime, CampaignId, CohortId, findOne } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { AttemptStore, SimulatedNetwork, type SimulatorOptions } from "@trunkline/telephony"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { campaignBody, mondayMorning, scope } from "../Fixtures.js"
import { completeStopFile } from "../StopFixtures.js"
import {
  agent_phone_number,
  callInProgress,
  dialled,
  id,
  key,
  type LeftOver,
  lookup,
  none,
  restarted,
  user_phone_number
} from "./RecoveryFixtures.js"

const campaign_id = CampaignId.make("camp-000000000001")

/** Campaign with one contact, whose first attempt was claimed when the engine stopped. */
const withCampaign = (change: Partial<Campaign> = {}) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const [attempts, contacts, queue] = [yield* AttemptStore, yield* ContactStore, yield* DialQueue]
    const start = DateTime.unsafeMake(mondayMorning)
    const { canary: _, ...body } = campaignBody()
    yield* (yield* CampaignStore).put(
      scope,
      new Campaign({
        ...body,
        campaign_id,
        status: "active",
        app_id: body.app_config.app_id,
        app_type: "agent",
        app_version: 1,
        created_by: "demo",
        created_at: start,
        updated_by: "demo",
        updated_at: start,
        ...change
      })
    )
    const cohort_id = CohortId.make("coh-1")
    const enrolled = {
      user_phone_number,
      user_identifier: "someone",
      cohort_id,
      agent_variables: {},
      app_overrides: {}
    }
    yield* contacts.enrol(campaign_id, [newContact(campaign_id, enrolled, mondayMorning)], { completed_seq: 1, row: 1 })
    const claims = [{ user_phone_number, attempt_id: id, from: agent_phone_number }]
    yield* queue.claimMany([{ scope, campaign_id, claims, at: mondayMorning, isDialled: false }])
    yield* attempts.insertMany([callInProgress("claimed", { kind: "campaign", campaign_id, cohort_id })])
  }))

const contact = Effect.flatMap(
  ContactStore,
  (contacts) => Effect.map(contacts.find(campaign_id, user_phone_number), Option.getOrThrow)
)

/** State of the contact, and the calls that were made, ten minutes after a restart. */
const after = (left: LeftOver, options: SimulatorOptions, wait: Duration.DurationInput = "10 minutes") =>
  Effect.gen(function*() {
    const network = yield* SimulatedNetwork.make(options)
    const seen = Effect.gen(function*() {
      yield* BusinessTime.sleep(wait)
      const store = yield* AttemptStore
      const calls = yield* dialled(network)
      const attempts = yield* Effect.forEach(calls, (attempt) => findOne(store.findMany, attempt ?? id))
      return {
        calls,
        contact: yield* contact,
        first: yield* findOne(store.findMany, id),
        attempts: attempts.flatMap(Option.toArray)
      }
    })
    return yield* restarted({ network, leftOver: left }, seen)
  })

describe("after a restart, a campaign's attempt", () => {
  virtualTest(
    "that was certainly never dialled is withdrawn, and the contact is called as if for the first time",
    () =>
      Effect.gen(function*() {
        const { attempts, calls, first } = yield* after(withCampaign(), { dedupe: lookup })
        assert.isTrue(Option.isNone(first))
        assert.lengthOf(calls, 1)
        assert.deepStrictEqual(
          attempts.map(({ result, retry_attempt }) => [retry_attempt, result?.connectivity_status]),
          [[0, "connected"]]
        )
      }),
    { start: mondayMorning }
  )

  virtualTest(
    "that was certainly never dialled is not redialled when the number is on a stop file",
    () =>
      Effect.gen(function*() {
        const stopped = Layer.effectDiscard(completeStopFile(campaign_id, [user_phone_number]))
        const { calls, contact, first } = yield* after(Layer.merge(withCampaign(), stopped), { dedupe: lookup })
        assert.isEmpty(calls)
        assert.isTrue(Option.isNone(first))
        assert.deepInclude(contact, { state: "finished", attempts: 0 })
        assert.strictEqual(contact.decision.reason, "stopped")
      }),
    { start: mondayMorning }
  )

  virtualTest("is redialled with its key while the campaign may dial", () =>
    Effect.gen(function*() {
      const { calls, contact, first } = yield* after(withCampaign(), { dedupe: key })
      assert.deepStrictEqual(calls, [id])
      assert.strictEqual(Option.getOrThrow(first).result?.connectivity_status, "connected")
      assert.strictEqual(contact.state, "finished")
    }), { start: mondayMorning })

  const shut: ReadonlyArray<readonly [string, LeftOver, number]> = [
    ["the window is shut", withCampaign(), mondayMorning + Duration.toMillis("9 hours")],
    ["the campaign is paused", withCampaign({ status: "paused" }), mondayMorning],
    [
      "the number is on a stop file",
      Layer.merge(withCampaign(), Layer.effectDiscard(completeStopFile(campaign_id, [user_phone_number]))),
      mondayMorning
    ]
  ]
  for (const [name, left, start] of shut) {
    virtualTest(`is not placed again while ${name}: it is unknown`, () =>
      Effect.gen(function*() {
        const { calls, first } = yield* after(left, { dedupe: { _tag: "Key", ttl: Duration.hours(24) } })
        assert.isEmpty(calls)
        const { result } = Option.getOrThrow(first)
        assert.deepInclude(result, { completion_status: "failed", connectivity_status: null })
        assert.match(result?.failure_reason ?? "", /^unknown: /)
      }), { start })
  }

  virtualTest(
    "with an unknown outcome is not redialled automatically",
    () =>
      Effect.gen(function*() {
        const { calls, contact, first } = yield* after(withCampaign(), { dedupe: none }, "3 hours")
        assert.isEmpty(calls)
        assert.match(Option.getOrThrow(first).result?.failure_reason ?? "", /^unknown: /)
        assert.deepInclude(contact, { state: "finished", attempts: 1 })
      }),
    { start: mondayMorning }
  )
})
