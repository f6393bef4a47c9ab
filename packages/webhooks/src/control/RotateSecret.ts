import { GivenWebhookSecret, Timestamp } from "@trunkline/kernel"
import { Schema } from "effect"

/** How long the secret before goes on signing, unless a rotation says otherwise. */
export const defaultOverlapHours = 24

/** The longest overlap: a week. */
export const maxOverlapHours = 168

/** What rotates the secret of a campaign's webhooks. */
export const RotateSecret = Schema.Struct({
  /** The new secret; one is made when none is given. */
  secret: Schema.optional(GivenWebhookSecret),
  /** How long requests are signed with the secret before, too: 0 to 168 hours. 0 voids all earlier ones at once. */
  overlap_hours: Schema.optionalWith(Schema.Int.pipe(Schema.between(0, maxOverlapHours)), {
    default: () => defaultOverlapHours
  })
})
export type RotateSecret = typeof RotateSecret.Type

/** What a rotation answers. The secret is told this once. */
export const RotatedSecret = Schema.Struct({
  secret: Schema.String,
  /** Until when the secret before signs too; null when it does not. */
  previous_secret_until: Schema.NullOr(Timestamp)
})
export type RotatedSecret = typeof RotatedSecret.Type
