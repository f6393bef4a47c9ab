import { ConnectionId, PhoneNumber, Timestamp } from "@trunkline/kernel"
import { Schema } from "effect"

/** A phone line and its state, as far as this process knows it. Times are business time. */
export const LineDetail = Schema.Struct({
  connection_id: ConnectionId,
  provider: Schema.String,
  phone_numbers: Schema.Array(PhoneNumber),
  /** Most calls at once; null for no limit. */
  max_channels: Schema.NullOr(Schema.Int),
  /** `paused`: nothing is dialled before `paused_until`. `probing`: one call finds out whether the line works again. */
  health: Schema.Literal("ok", "paused", "probing"),
  paused_until: Schema.NullOr(Timestamp),
  /** Why it is not `ok`, in words. */
  reason: Schema.NullOr(Schema.String),
  /** Calls in progress, of all workspaces and processes. */
  calls: Schema.Int,
  /** Registration at the provider; null for lines that do not register. */
  registration: Schema.NullOr(Schema.Struct({
    status: Schema.Literal("registering", "registered", "failed"),
    registered_until: Schema.NullOr(Timestamp)
  })),
  /** True when the provider answered the last time that it was asked, false when it did not; null where it is not asked. */
  reachable: Schema.NullOr(Schema.Boolean),
  /** The last time that the provider could not be reached or refused the registration; null for never. */
  last_failure: Schema.NullOr(Schema.Struct({ at: Timestamp, reason: Schema.String })),
  /** Milliseconds by which sound leaves too late (99th percentile of the last seconds); null without sound here. */
  lateness_milliseconds: Schema.NullOr(Schema.Number)
}).annotations({ identifier: "LineDetail" })
export type LineDetail = typeof LineDetail.Type
