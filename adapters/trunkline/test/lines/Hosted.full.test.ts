import { assert, describe, it } from "@effect/vitest"
import {
  exotelAccount,
  exotelDouble,
  plivoAccount,
  plivoDouble,
  smartfloAccount,
  smartfloDouble,
  telnyxAccount,
  telnyxDouble,
  telnyxRelayDouble,
  twilioAccount,
  twilioDouble,
  twilioRelayDouble,
  vobizAccount,
  vobizDouble
} from "@trunkline/carrier-media-websocket/testing"
import { Effect } from "effect"
import { untilOnTime } from "../../../../test/setup/OnTime.js"
import type { CallEnded } from "../../src/generated/Resources.js"
import { hostedEngine, type HostedProvider, isLoud, number, spoken, takeTurns } from "./HostedWorld.js"

const caller = "+919876543210"
const visitor = "+919876543211"

const twilio: HostedProvider = {
  double: twilioDouble,
  options: { account_sid: twilioAccount.sid, auth_token_env: "TWILIO_TOKEN" },
  environment: { TWILIO_TOKEN: twilioAccount.token }
}

const telnyx: HostedProvider = {
  double: telnyxDouble,
  options: {
    application_id: telnyxAccount.application,
    api_key_env: "TELNYX_KEY",
    public_key: telnyxAccount.publicKey
  },
  environment: { TELNYX_KEY: telnyxAccount.key }
}

const providers: ReadonlyArray<HostedProvider> = [
  twilio,
  {
    double: plivoDouble,
    options: { auth_id: plivoAccount.id, auth_token_env: "PLIVO_TOKEN" },
    environment: { PLIVO_TOKEN: plivoAccount.token }
  },
  {
    double: vobizDouble,
    options: { auth_id: vobizAccount.id, auth_token_env: "VOBIZ_TOKEN", events_key_env: "VOBIZ_KEY" },
    environment: { VOBIZ_TOKEN: vobizAccount.token, VOBIZ_KEY: vobizAccount.eventsKey }
  },
  telnyx,
  {
    double: exotelDouble,
    options: {
      account_sid: exotelAccount.sid,
      api_key_env: "EXOTEL_KEY",
      api_token_env: "EXOTEL_TOKEN",
      events_key_env: "EXOTEL_EVENTS"
    },
    environment: {
      EXOTEL_KEY: exotelAccount.key,
      EXOTEL_TOKEN: exotelAccount.token,
      EXOTEL_EVENTS: exotelAccount.eventsKey
    }
  },
  {
    double: smartfloDouble,
    options: { api_token_env: "SMARTFLO_TOKEN", api_key_env: "SMARTFLO_KEY", events_key_env: "SMARTFLO_EVENTS" },
    environment: {
      SMARTFLO_TOKEN: smartfloAccount.token,
      SMARTFLO_KEY: smartfloAccount.key,
      SMARTFLO_EVENTS: smartfloAccount.eventsKey
    }
  },
  { ...twilio, double: twilioRelayDouble },
  { ...telnyx, double: telnyxRelayDouble }
]

const assertConversation = ({ completion_status, transcript }: CallEnded) => {
  const said = (transcript ?? []).filter(({ role }) => role === "user").map(({ en_text }) => en_text)
  assert.deepStrictEqual(said, ["word 1", "word 2", "word 3", "word 4", "word 5"])
  const replies = (transcript ?? []).filter(({ role }) => role === "agent").map(({ en_text }) => en_text)
  assert.deepStrictEqual(replies, ["Hello.", "Reply 1.", "Reply 2.", "Reply 3.", "Reply 4.", "Goodbye."])
  assert.strictEqual(completion_status, "completed")
}

describe.each(providers)("a line over $double.provider", (provider) => {
  it.scopedLive("holds conversations of five turns with somebody whom it calls, and with somebody who calls in", (context) =>
    untilOnTime(
      context,
      Effect.gen(function*() {
        const incoming: Array<CallEnded> = []
        const { double, trunkline, url } = yield* hostedEngine(provider, {}, {
          onCallEnded: async (call) => void (call.kind === "inbound" && incoming.push(call))
        })
        yield* Effect.promise(() =>
          trunkline.deployments.create({
            name: "Desk",
            app_id: "desk",
            app_version: 1,
            connection_configs: [{ connection_id: "line", phone_numbers: [number] }],
            webhook_config: null
          })
        )
        const { ended } = yield* Effect.promise(() => trunkline.calls.create({ agent: "desk", to: caller }))
        while (double.calls.length === 0) yield* Effect.sleep("10 millis")
        double.callIn(visitor, number, `${url}/v1/connections/line/events`)
        yield* Effect.forEach([0, 1], (call) => Effect.fork(takeTurns(double, call)))
        assertConversation(yield* Effect.promise(() => ended))
        while (incoming.length === 0) yield* Effect.sleep("100 millis")
        incoming.forEach(assertConversation)
        assert.deepStrictEqual(double.problems(), [])
      })
    ))
})

describe("a campaign over twilio", () => {
  it.scopedLive("calls twenty people, and tells who was busy, who did not answer and who does not exist", (context) =>
    untilOnTime(
      context,
      Effect.gen(function*() {
        const kinds = { 3: "busy", 5: "invalid" } as const
        const { double, trunkline } = yield* hostedEngine(twilio, {
          reactionOf: (to) => {
            const kind = Object.entries(kinds).find(([digit]) => to.endsWith(digit))?.[1]
            return kind === undefined ? { kind: "answers", afterMillis: 50 } : { kind }
          }
        }, {
          model: {
            generate: async () => ({ text: "Goodbye.", toolRequests: [{ id: "1", name: "end_call", arguments: "{}" }] })
          }
        })
        const people = Array.from({ length: 20 }, (_, index) => `98765432${String(index).padStart(2, "0")}`)
        const allowed_days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const
        const progress = yield* Effect.promise(async (signal) => {
          const { campaign_id } = await trunkline.campaigns.create({
            name: "Bills",
            app_config: {
              app_id: "desk",
              app_version: 1,
              attempts_per_second: 10,
              connection_configs: [{ connection_id: "line", phone_numbers: [number] }]
            },
            start_timestamp: new Date().toISOString(),
            end_timestamp: "2100-01-01T00:00:00Z",
            allowed_schedule: { allowed_start_time: "00:00", allowed_end_time: "24:00", allowed_days }
          })
          await trunkline.cohorts.uploadToCampaign(campaign_id, {
            name: "People",
            cohort_file: Buffer.from(["phone", ...people].join("\n")),
            cohort_transformation_file: JSON.stringify({ phone_number: { column_name: "phone" } })
          })
          const read = () => trunkline.campaigns.progress(campaign_id)
          const word = await spoken("yes")
          const answered = new Set<unknown>()
          let now = await read()
          while (now.attempts < people.length && !signal.aborted) {
            for (const { person } of double.calls) {
              if (person === null || answered.has(person) || !isLoud(person.recording())) continue
              answered.add(person)
              setTimeout(() => person.say(word), 1_500)
            }
            await new Promise((resolve) => setTimeout(resolve, 300))
            now = await read()
          }
          return now
        })
        assert.strictEqual(double.calls.length, people.length)
        assert.strictEqual(progress.attempts, people.length)
        assert.deepInclude(progress.outcomes, { busy: 2, failed: 2, provider_error: 0, unknown: 0 })
        assert.deepStrictEqual(double.problems(), [])
      })
    ))
})
