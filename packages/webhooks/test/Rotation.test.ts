import { assert, describe, it } from "@effect/vitest"
import { CampaignId, DeploymentId } from "@trunkline/kernel"
import { type OwnedWebhook, sign, verify, type WebhookOwner, Webhooks } from "@trunkline/webhooks"
import { Effect, Either, TestClock } from "effect"
import {
  answer,
  body,
  campaign_id,
  enqueue,
  nudge,
  Owners,
  scope,
  secretUrl,
  type Sent,
  sentSoFar,
  startDelivery,
  world
} from "./World.js"

const campaign: WebhookOwner = { kind: "campaign", id: campaign_id }

const configure = (
  owned: Partial<OwnedWebhook> & { readonly secret?: string | null },
  owner: WebhookOwner = campaign
) => {
  const { secret = "first", ...rest } = owned
  return Effect.map(
    Owners,
    ({ set }) =>
      set(owner, { config: { url: secretUrl, ...(secret === null ? {} : { secret }) }, isOver: false, ...rest })
  )
}

const rotate = (body: { readonly secret?: string; readonly overlap_hours?: number } = {}) =>
  Effect.flatMap(Webhooks, ({ rotateSecret }) => rotateSecret(scope, campaign_id, body, "demo"))

const refused = (body: { readonly secret?: string; readonly overlap_hours?: number } = {}) =>
  Effect.map(Effect.flip(rotate(body)), (error) => error._tag === "RuleViolation" ? error.issues[0]?.msg : error._tag)

/** Sends everything that is due and returns the last request. */
const latest = Effect.gen(function*() {
  yield* nudge
  yield* TestClock.adjust("1 second")
  const last = (yield* sentSoFar).at(-1)
  return last ?? (yield* Effect.dieMessage("nothing was sent"))
})

const signaturesOf = (request: Sent, secrets: ReadonlyArray<string>) =>
  Effect.forEach(
    secrets,
    (secret) =>
      sign(secret, {
        id: request.headers["webhook-id"] ?? "",
        timestamp: Math.floor(request.at / 1000),
        body: request.body
      })
  )

/** True if the request has the signatures of exactly these secrets, in this order. */
const signedBy = (request: Sent, secrets: ReadonlyArray<string>) =>
  Effect.map(
    signaturesOf(request, secrets),
    (signatures) => assert.strictEqual(request.headers["webhook-signature"], signatures.join(" "))
  )

describe("rotating the secret of a campaign's webhooks", () => {
  it.scoped("generates a secret of 32 bytes, and signs with the new and the old one for a day", () =>
    Effect.gen(function*() {
      yield* configure({})
      yield* startDelivery
      const { previous_secret_until, secret } = yield* rotate()
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.strictEqual(previous_secret_until?.epochMillis, 86_400_000)
      yield* enqueue(1, { secret: "first" })
      yield* signedBy(yield* latest, [secret, "first"])
      yield* TestClock.adjust("24 hours")
      yield* enqueue(2)
      const request = yield* latest
      yield* signedBy(request, [secret])
      assert.isFalse(yield* verify("first", { headers: request.headers, body, now: request.at }))
      assert.deepStrictEqual((yield* Owners).actors, ["demo"])
    }).pipe(Effect.provide(world(() => answer(200)))))

  it.scoped("accepts a secret and an overlap of up to a week", () =>
    Effect.gen(function*() {
      yield* configure({})
      yield* startDelivery
      yield* rotate({ secret: "second", overlap_hours: 168 })
      yield* rotate({ secret: "third", overlap_hours: 1 })
      yield* enqueue(1)
      yield* signedBy(yield* latest, ["third", "second", "first"])
      yield* TestClock.adjust("1 hour")
      yield* enqueue(2)
      yield* signedBy(yield* latest, ["third", "first"])
    }).pipe(Effect.provide(world(() => answer(200)))))

  it.scoped("voids all earlier secrets at once without overlap", () =>
    Effect.gen(function*() {
      yield* configure({})
      yield* startDelivery
      yield* rotate({ secret: "second" })
      assert.isNull((yield* rotate({ secret: "third", overlap_hours: 0 })).previous_secret_until)
      yield* enqueue(1)
      yield* signedBy(yield* latest, ["third"])
    }).pipe(Effect.provide(world(() => answer(200)))))

  it.scoped("signs pending webhooks with the secrets at the time of sending", () =>
    Effect.gen(function*() {
      yield* configure({})
      yield* startDelivery
      yield* enqueue(1, { secret: "first" })
      yield* signedBy(yield* latest, ["first"])
      yield* rotate({ secret: "second" })
      yield* TestClock.adjust("6 seconds")
      yield* signedBy(yield* latest, ["second", "first"])
    }).pipe(Effect.provide(world((_, tries) => answer(tries === 1 ? 500 : 200)))))

  it.scoped("replaces all secrets at once when a PATCH sets another one", () =>
    Effect.gen(function*() {
      yield* configure({})
      yield* startDelivery
      yield* rotate({ secret: "second" })
      yield* configure({ secret: "patched" })
      yield* enqueue(1, { secret: "first" })
      yield* signedBy(yield* latest, ["patched"])
      yield* configure({ secret: "second" })
      yield* rotate({ secret: "third" })
      yield* configure({ secret: null })
      yield* enqueue(2, { secret: "first" })
      assert.isUndefined((yield* latest).headers["webhook-signature"])
    }).pipe(Effect.provide(world(() => answer(200)))))

  it.scoped("keeps the enqueued secret when the owner has another URL or is unknown", () =>
    Effect.gen(function*() {
      yield* configure({ config: { url: "https://new.example/", secret: "of the new place" } })
      const deployment = DeploymentId.make("dep-1")
      yield* configure({ secret: "of the deployment" }, { kind: "deployment", id: deployment })
      yield* startDelivery
      yield* enqueue(1, { secret: "own" })
      yield* signedBy(yield* latest, ["own"])
      yield* enqueue(2, { secret: "own", campaign_id: CampaignId.make("gone") })
      yield* signedBy(yield* latest, ["own"])
      yield* enqueue(3, { secret: "own", campaign_id: null })
      yield* signedBy(yield* latest, ["own"])
      yield* enqueue(4, { secret: "own", campaign_id: null, deployment_id: deployment })
      yield* signedBy(yield* latest, ["of the deployment"])
    }).pipe(Effect.provide(world(() => answer(200)))))

  it.scoped("sets the first secret of a campaign without overlap", () =>
    Effect.gen(function*() {
      yield* configure({ secret: null })
      yield* startDelivery
      assert.isNull((yield* rotate({ secret: "second" })).previous_secret_until)
      yield* enqueue(1)
      yield* signedBy(yield* latest, ["second"])
    }).pipe(Effect.provide(world(() => answer(200)))))

  it.scoped("is rejected for an unknown campaign, without a webhook, for the current secret, and for too many secrets", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* refused(), "NotFound")
      yield* configure({ config: null })
      assert.strictEqual(yield* refused(), "The campaign has no webhook_config")
      yield* configure({})
      assert.strictEqual(yield* refused({ secret: "first" }), "Must differ from the current secret")
      for (const secret of ["b", "c", "d", "e", "f"]) yield* rotate({ secret })
      assert.match(String(yield* refused({ secret: "g" })), /^5 earlier secrets still sign/)
      assert.isTrue(Either.isRight(yield* Effect.either(rotate({ secret: "g", overlap_hours: 0 }))))
    }).pipe(Effect.provide(world(() => answer(200)))))

  it.scoped("works for a finished campaign only while webhooks are pending", () =>
    Effect.gen(function*() {
      yield* configure({ isOver: true })
      assert.strictEqual(yield* refused(), "The campaign is over and has no pending webhooks")
      yield* enqueue(1)
      yield* rotate({ secret: "second" })
      yield* startDelivery
      yield* signedBy(yield* latest, ["second", "first"])
      assert.strictEqual(yield* refused(), "The campaign is over and has no pending webhooks")
    }).pipe(Effect.provide(world(() => answer(200)))))
})
