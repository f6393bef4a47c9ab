import { NotFound, RuleViolation } from "@trunkline/errors"
import { type CampaignId, Entropy, type Scope, Timestamp, Transactions, WebhookSecretInput } from "@trunkline/kernel"
import { Clock, Context, DateTime, Duration, Effect, Encoding, Layer, Option, Schema } from "effect"
import { activeRetiredSecrets, RetiredSecretStore } from "../delivery/RetiredSecrets.js"
import { type OwnedWebhook, WebhookOwners } from "../delivery/WebhookOwners.js"
import { Outbox } from "../outbox/Outbox.js"

/** Default overlap, during which the previous secret still signs, in hours. */
const defaultOverlapHours = 24

/** Longest overlap, in hours: a week. */
const maxOverlapHours = 168

/** Request to rotate the secret of a campaign's webhooks. */
export const RotateSecret = Schema.Struct({
  /** New secret; generated if absent. */
  secret: Schema.optional(WebhookSecretInput),
  /** Hours during which the previous secret signs too, 0 to 168. 0 voids all earlier secrets at once. */
  overlap_hours: Schema.optionalWith(Schema.Int.pipe(Schema.between(0, maxOverlapHours)), {
    default: () => defaultOverlapHours
  })
})
export type RotateSecret = typeof RotateSecret.Type

/** Response to a rotation. The secret is shown only here. */
export const RotatedSecret = Schema.Struct({
  secret: Schema.String,
  /** End of the use of the previous secret; null if it is void. */
  previous_secret_until: Schema.NullOr(Timestamp)
})
export type RotatedSecret = typeof RotatedSecret.Type

/** Length of a generated secret in bytes; Standard Webhooks requires 24 to 64. */
const secretBytes = 32

/** Largest number of retired secrets: each adds 48 characters to the headers of every request. */
const maxRetiredSecrets = 5

/** Signing secrets of the webhooks of campaigns. */
export class Webhooks extends Context.Tag("@trunkline/webhooks/Webhooks")<Webhooks, {
  /**
   * Replaces the secret of a campaign's webhooks by the given one or a generated one: `whsec_` and 32 random bytes in
   * base64. During the overlap (default 24 hours) every request, including pending webhooks, is signed with the new
   * secret and then with the earlier ones. Updating the campaign with another secret ends the overlap at once.
   *
   * A campaign that has ended or was cancelled accepts it only while webhooks are pending. Fails with `RuleViolation`
   * without a webhook, for the current secret, and while five earlier secrets still sign. `actor` is the label of the
   * API key of the caller.
   */
  readonly rotateSecret: (
    scope: Scope,
    campaign: CampaignId,
    body: Partial<RotateSecret>,
    actor: string
  ) => Effect.Effect<RotatedSecret, NotFound | RuleViolation>
}>() {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function*() {
      const owners = yield* WebhookOwners
      const retiredSecrets = yield* RetiredSecretStore
      const outbox = yield* Outbox
      const entropy = yield* Entropy
      const transactions = yield* Transactions

      const newSecret = Effect.map(entropy.bytes(secretBytes), (bytes) => `whsec_${Encoding.encodeBase64(bytes)}`)

      const hasWorkLeft = (scope: Scope, campaign_id: CampaignId, { isOver }: OwnedWebhook, now: number) =>
        isOver
          ? Effect.exists(["pending", "running"] as const, (is) =>
            Effect.map(
              outbox.listByCampaign({ scope, campaign_id, limit: 1, status: { is, now } }),
              (rows) => rows.length > 0
            ))
          : Effect.succeed(true)

      const rotate = (
        scope: Scope,
        campaign: CampaignId,
        { actor, overlap_hours, secret }: {
          readonly secret: string
          readonly overlap_hours: number
          readonly actor: string
        }
      ) =>
        Effect.gen(function*() {
          const owner = { kind: "campaign", id: campaign } as const
          const ownedWebhook = Option.getOrUndefined(yield* owners.find(scope, owner))
          if (ownedWebhook === undefined) return yield* new NotFound({ resource: "campaign", id: campaign })
          if (ownedWebhook.config === null) {
            return yield* RuleViolation.at(["body"], "The campaign has no webhook_config")
          }
          const now = yield* Clock.currentTimeMillis
          if (!(yield* hasWorkLeft(scope, campaign, ownedWebhook, now))) {
            return yield* RuleViolation.at(["body"], "The campaign is over and has no pending webhooks")
          }
          const current = ownedWebhook.config.secret
          if (current === secret) {
            return yield* RuleViolation.at(["body", "secret"], "Must differ from the current secret")
          }
          const until = now + Duration.toMillis(Duration.hours(overlap_hours))
          const secrets = current === undefined || overlap_hours === 0 ? [] : [
            { secret: current, until },
            ...activeRetiredSecrets(yield* retiredSecrets.find(scope, owner), current, now).filter((old) =>
              old.secret !== secret
            )
          ]
          if (secrets.length > maxRetiredSecrets) {
            return yield* RuleViolation.at(
              ["body"],
              `${maxRetiredSecrets} earlier secrets still sign: wait for one to expire, or rotate without overlap`
            )
          }
          yield* owners.replaceSecret(scope, campaign, { secret, actor })
          yield* retiredSecrets.put(scope, owner, { successor: secret, secrets })
          return { secret, previous_secret_until: secrets.length === 0 ? null : DateTime.unsafeMake(until) }
        })

      return Webhooks.of({
        rotateSecret: Effect.fn("Webhooks.rotateSecret")(
          function*(scope, campaign, { overlap_hours = defaultOverlapHours, secret: chosenSecret }, actor) {
            const secret = chosenSecret ?? (yield* newSecret)
            return yield* transactions.run(rotate(scope, campaign, { secret, overlap_hours, actor }))
          }
        )
      })
    })
  )
}
