import { assert, describe, it } from "@effect/vitest"
import {
  AnalyticsOptions,
  CallAnalytics,
  type CallQuery,
  CallRecords,
  hashContact,
  KnownAgents,
  Recordings
} from "@trunkline/analytics"
import { atSecond, callRecord, interactionId, testPlace, transcriptOf, unanswered } from "@trunkline/analytics/testing"
import { AppId, PhoneNumber } from "@trunkline/kernel"
import { Effect, Layer, Redacted, Stream } from "effect"

const place = testPlace("service")
const { app_id, scope } = place
const contactSalt = Redacted.make("a salt for tests")

const query: CallQuery = {
  start_datetime: atSecond(0),
  end_datetime: atSecond(86_400),
  limit: 20,
  offset: 0,
  sort_order: "desc",
  filter_conditions: []
}

const live = (options: { readonly exposeUserContact?: boolean } = {}) =>
  CallAnalytics.layer.pipe(
    Layer.provide([CallRecords.layerMemory, AnalyticsOptions.layer({ contactSalt, ...options })]),
    Layer.provideMerge(Recordings.layerMemory)
  )

describe("CallAnalytics", () => {
  it.effect("finds a recording by the agent of its conversation only", () =>
    Effect.gen(function*() {
      const analytics = yield* CallAnalytics
      const id = interactionId(place, 1)
      yield* analytics.recordMany([{ call: callRecord(place, 1), transcript: transcriptOf(place, 1, "Namaste") }])
      const none = yield* Effect.flip(analytics.recording(scope, app_id, id))
      assert.deepInclude(none, { _tag: "NotFound", resource: "recording" })
      yield* (yield* Recordings).keep(scope, id, Stream.make(Uint8Array.of(82, 73, 70, 70)))
      assert.strictEqual((yield* analytics.recording(scope, app_id, id)).size, 4)
      const foreign = yield* Effect.flip(analytics.recording(scope, AppId.make("another"), id))
      assert.strictEqual(foreign.message, none.message)
    }).pipe(Effect.provide(live())))

  it.effect("lists all calls as attempts, and those with a conversation as interactions", () =>
    Effect.gen(function*() {
      const analytics = yield* CallAnalytics
      yield* analytics.recordMany([{ call: callRecord(place, 1), transcript: null }])
      yield* analytics.recordMany([{ call: callRecord(place, 2, unanswered), transcript: null }])
      const attempts = yield* analytics.attempts(scope, app_id, query)
      assert.deepStrictEqual(attempts.items.map(({ interaction_id }) => interaction_id), [
        null,
        interactionId(place, 1)
      ])
      assert.strictEqual(attempts.total, 2)
      const interactions = yield* analytics.interactions(scope, app_id, { ...query, limit: 1 })
      assert.deepStrictEqual(interactions.items.map(({ interaction_id }) => interaction_id), [interactionId(place, 1)])
      assert.strictEqual(interactions.total, 1)
    }).pipe(Effect.provide(live())))

  it.effect("finds the calls of a contact by the hash of the number", () =>
    Effect.gen(function*() {
      const analytics = yield* CallAnalytics
      const user_contact = PhoneNumber.make("+919812345678")
      yield* analytics.recordMany([{ call: callRecord(place, 1, { user_contact }), transcript: null }])
      yield* analytics.recordMany([{ call: callRecord(place, 2), transcript: null }])
      const value = yield* hashContact(user_contact, contactSalt)
      const { items } = yield* analytics.attempts(scope, app_id, {
        ...query,
        filter_conditions: [{ id: "c1", kind: "string", field: "user_contact_hashed", operator: "equals", value }]
      })
      assert.deepStrictEqual(items.map(({ user_contact_masked }) => user_contact_masked), ["******5678"])
    }).pipe(Effect.provide(live())))

  it.effect("masks numbers unless the options expose them", () =>
    Effect.gen(function*() {
      const shown = Effect.gen(function*() {
        const analytics = yield* CallAnalytics
        yield* analytics.recordMany([{ call: callRecord(place, 1), transcript: null }])
        return (yield* analytics.attempts(scope, app_id, query)).items.map(({ user_contact }) => user_contact)
      })
      assert.deepStrictEqual(yield* Effect.provide(shown, live()), [null])
      assert.deepStrictEqual(yield* Effect.provide(shown, live({ exposeUserContact: true })), [
        callRecord(place, 1).user_contact
      ])
    }))

  it.effect("rejects lists of an unknown agent, unless it has calls in them", () =>
    Effect.gen(function*() {
      const analytics = yield* CallAnalytics
      const lists = [
        Effect.asVoid(analytics.attempts(scope, app_id, query)),
        Effect.asVoid(analytics.interactions(scope, app_id, query))
      ]
      for (const list of lists) {
        const missing = yield* Effect.flip(list)
        assert.strictEqual(missing.message, `No agent with the id "${app_id}" exists in this workspace`)
      }
      yield* analytics.recordMany([{ call: callRecord(place, 1), transcript: null }])
      assert.strictEqual((yield* analytics.attempts(scope, app_id, query)).total, 1)
      assert.strictEqual((yield* analytics.interactions(scope, app_id, { ...query, offset: 5 })).total, 1)
    }).pipe(
      Effect.provide(live()),
      Effect.provideService(KnownAgents, { includes: () => Effect.succeed(false) })
    ))

  it.effect("finds an attempt with its transcript, masked like the list", () =>
    Effect.gen(function*() {
      const analytics = yield* CallAnalytics
      const [answered, missed] = [callRecord(place, 1), callRecord(place, 2, unanswered)]
      yield* analytics.recordMany([{ call: answered, transcript: transcriptOf(place, 1, "Hello.") }])
      yield* analytics.recordMany([{ call: missed, transcript: null }])
      const { items } = yield* analytics.attempts(scope, app_id, { ...query, sort_order: "asc" })
      const records = yield* Effect.forEach([answered, missed], (call) => analytics.attempt(scope, call.attempt_id))
      assert.deepStrictEqual(
        records.map(({ costs: _costs, model_inputs: _inputs, transcript: _transcript, ...item }) => item),
        items.map((item) => ({ ...item }))
      )
      assert.deepStrictEqual(records.map(({ transcript }) => transcript), [transcriptOf(place, 1, "Hello."), null])
      const missing = yield* Effect.flip(analytics.attempt(testPlace("other").scope, answered.attempt_id))
      assert.strictEqual(missing.message, `No attempt with the id "${answered.attempt_id}" exists in this workspace`)
    }).pipe(Effect.provide(live())))

  it.effect("finds a transcript by its agent only", () =>
    Effect.gen(function*() {
      const analytics = yield* CallAnalytics
      yield* analytics.recordMany([{ call: callRecord(place, 1), transcript: transcriptOf(place, 1, "Hello.") }])
      const transcript = yield* analytics.transcript(scope, app_id, interactionId(place, 1))
      assert.deepStrictEqual(transcript, transcriptOf(place, 1, "Hello."))
      const missing = yield* Effect.flip(analytics.transcript(scope, AppId.make("sales"), interactionId(place, 1)))
      assert.strictEqual(missing._tag, "NotFound")
      assert.strictEqual(missing.resource, "transcript")
    }).pipe(Effect.provide(live())))
})

describe("hashContact", () => {
  it.effect("is HMAC-SHA256 in hex, different for another salt", () =>
    Effect.gen(function*() {
      const number = PhoneNumber.make("+919876543210")
      const hash = yield* hashContact(number, Redacted.make("key"))
      assert.strictEqual(hash, "3b436a5b280829d22237f0071966ddca6a9c5f3c900e4faf27039e56b651d17d")
      assert.strictEqual(yield* hashContact(number, Redacted.make("key")), hash)
      assert.notStrictEqual(yield* hashContact(number, Redacted.make("other")), hash)
    }))
})
