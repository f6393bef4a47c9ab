import { assert, describe, it } from "@effect/vitest"
import { AttemptId, CampaignId, ConnectionId } from "@trunkline/kernel"
import { Carriers } from "@trunkline/telephony"
import { Effect, Option } from "effect"
import { makeNewAttempt } from "../../src/dispatch/NewAttempt.js"
import { at, campaign, contact, number, scopeOf } from "../../src/testing/Fixtures.js"

const id = CampaignId.make("camp-recorded")

/** Setting of an attempt about its recording, for a campaign with this setting and a contact with that one. */
const recordOf = (ofCampaign: boolean | null | undefined, ofContact?: boolean) =>
  Effect.map(Effect.provide(makeNewAttempt, Carriers.layerOf([])), (newAttempt) => {
    const { app_config, ...rest } = campaign(id)
    const config = { ...app_config, ...(ofCampaign !== undefined && { record: ofCampaign }) }
    const overrides = { initial_language_name: "Hindi", ...(ofContact !== undefined && { record: ofContact }) }
    const { app_overrides } = newAttempt(
      { campaign: campaign(id, { ...rest, app_config: config }), scope: scopeOf("recorded") },
      contact(id, 1, { app_overrides: overrides }),
      {
        attempt_id: AttemptId.make("attempt-1"),
        attempted_at: at(0).epochMillis,
        connection_id: ConnectionId.make("sim-1"),
        connection: Option.none(),
        from: number(1)
      }
    )
    assert.strictEqual(app_overrides.initial_language_name, "Hindi")
    return app_overrides.record
  })

describe("the recording of a campaign's calls", () => {
  it.effect("is as the campaign says, where it says anything, unless the contact says otherwise", () =>
    Effect.gen(function*() {
      assert.isTrue(yield* recordOf(true))
      assert.isFalse(yield* recordOf(false))
      assert.isUndefined(yield* recordOf(null))
      assert.isUndefined(yield* recordOf(undefined))
      assert.isFalse(yield* recordOf(true, false))
      assert.isTrue(yield* recordOf(false, true))
    }))
})
