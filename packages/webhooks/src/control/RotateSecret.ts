import { issueType } from "@trunkline/errors"
import { Timestamp, WebhookSecret } from "@trunkline/kernel"
import { Either, Encoding, Schema } from "effect"

/** How long the secret before goes on signing, unless a rotation says otherwise. */
export const defaultOverlapHours = 24

/** The longest overlap: a week. */
export const maxOverlapHours = 168

/** Whether a text is base64 of at least a byte: receivers of Standard Webhooks take nothing else after `whsec_`. */
const isKey = (text: string): boolean => {
  const decoded = Encoding.decodeBase64(text)
  return Either.isRight(decoded) && decoded.right.byteLength > 0
}

/** What rotates the secret of a campaign's webhooks. */
export const RotateSecret = Schema.Struct({
  /** The new secret; one is made when none is given. What follows `whsec_` must be the base64 of a key. */
  secret: Schema.optional(
    WebhookSecret.pipe(
      Schema.filter((secret) => !secret.startsWith("whsec_") || isKey(secret.slice("whsec_".length)), {
        message: () => "What follows whsec_ must be the base64 of a key",
        ...issueType("value_error")
      })
    )
  ),
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
