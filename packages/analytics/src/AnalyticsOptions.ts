import { Context, Layer, type Redacted } from "effect"

/** How call analytics treats the numbers of the people called. */
export class AnalyticsOptions extends Context.Tag("@trunkline/analytics/AnalyticsOptions")<AnalyticsOptions, {
  /** Whether attempt items carry the bare number. */
  readonly exposeUserContact: boolean
  /** The key of contact hashes. Keep it for good: under another one the same person has another hash. */
  readonly contactSalt: Redacted.Redacted
}>() {
  /** The options, with bare numbers hidden unless `exposeUserContact` is set. */
  static readonly layer = (
    options: { readonly contactSalt: Redacted.Redacted; readonly exposeUserContact?: boolean }
  ) => Layer.succeed(AnalyticsOptions, { exposeUserContact: false, ...options })
}
