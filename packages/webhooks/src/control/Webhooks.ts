import { NotFound, RuleViolation } from "@trunkline/errors"
import { type CampaignId, Entropy, type Scope, Transactions } from "@trunkline/kernel"
import { Clock, Context, DateTime, Duration, Effect, Encoding, Layer, Option } from "effect"
import { Outbox } from "../outbox/Outbox.js"
import { RetiredSecretStore, stillSigning } from "./RetiredSecrets.js"
import { defaultOverlapHours, type RotatedSecret, type RotateSecret } from "./RotateSecret.js"
import { type OwnedWebhook, WebhookOwners } from "./WebhookOwners.js"

/** Bytes of a secret that is made here (Standard Webhooks asks for 24 to 64). */
const secretBytes = 32

/** Secrets that may sign beside the present one: each adds 48 characters to every request's headers. */
export const maxRetiredSecrets = 5

/** The webhooks of campaigns: how their receivers know that it is we who send. */
export class Webhooks extends Context.Tag("@trunkline/webhooks/Webhooks")<Webhooks, {
  /**
   * Gives a campaign's webhooks another secret, the given one or a new one: `whsec_` and 32 random bytes in base64. For
   * the overlap (24 h unless said) every request is signed with the new secret and with those before, the new first; so
   * are the webhooks that wait already. A PATCH that writes another secret ends the overlap at once.
   *
   * Works in every state of the campaign while there is anything left to send: once it has ended or was cancelled, only
   * while webhooks wait. Refused without a webhook, for the secret that it has already, and while five earlier secrets
   * still sign. `actor` is the label of the key that asks.
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
      const retired = yield* RetiredSecretStore
      const outbox = yield* Outbox
      const entropy = yield* Entropy
      const transactions = yield* Transactions

      const newSecret = Effect.map(entropy.bytes(secretBytes), (bytes) => `whsec_${Encoding.encodeBase64(bytes)}`)

      const anythingLeft = (scope: Scope, campaign_id: CampaignId, { isOver }: OwnedWebhook, now: number) =>
        isOver
          ? Effect.exists(["pending", "running"] as const, (is) =>
            Effect.map(
              outbox.listByCampaign({ scope, campaign_id, limit: 1, status: { is, now } }),
              (found) => found.length > 0
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
          const found = Option.getOrUndefined(yield* owners.find(scope, owner))
          if (found === undefined) return yield* new NotFound({ resource: "campaign", id: campaign })
          if (found.config === null) return yield* RuleViolation.at(["body"], "The campaign has no webhook_config")
          const now = yield* Clock.currentTimeMillis
          if (!(yield* anythingLeft(scope, campaign, found, now))) {
            return yield* RuleViolation.at(["body"], "The campaign is over, and none of its webhooks waits")
          }
          const present = found.config.secret
          if (present === secret) {
            return yield* RuleViolation.at(["body", "secret"], "Must differ from the secret that the campaign has")
          }
          const until = now + Duration.toMillis(Duration.hours(overlap_hours))
          const secrets = present === undefined || overlap_hours === 0 ? [] : [
            { secret: present, until },
            ...stillSigning(yield* retired.find(scope, owner), present, now).filter((old) => old.secret !== secret)
          ]
          if (secrets.length > maxRetiredSecrets) {
            return yield* RuleViolation.at(
              ["body"],
              `${maxRetiredSecrets} earlier secrets still sign: wait for one to end, or rotate without overlap`
            )
          }
          yield* owners.replaceSecret(scope, campaign, { secret, actor })
          yield* retired.put(scope, owner, { successor: secret, secrets })
          return { secret, previous_secret_until: secrets.length === 0 ? null : DateTime.unsafeMake(until) }
        })

      return Webhooks.of({
        rotateSecret: Effect.fn("Webhooks.rotateSecret")(
          function*(scope, campaign, { overlap_hours = defaultOverlapHours, secret: given }, actor) {
            const secret = given ?? (yield* newSecret)
            return yield* transactions.run(rotate(scope, campaign, { secret, overlap_hours, actor }))
          }
        )
      })
    })
  )
}
