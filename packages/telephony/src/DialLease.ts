import { Context, Effect, Layer } from "effect"

/**
 * Whether this process may dial. Another process that takes over its work recovers what it left, so no dial of this one
 * may still be going on then.
 */
export class DialLease extends Context.Tag("@trunkline/telephony/DialLease")<DialLease, {
  /**
   * Whether a dial that begins now ends before anybody else can own the work: asked right before the provider is. False
   * means that the work may be somebody else's already; nothing is dialled then.
   */
  readonly mayDial: Effect.Effect<boolean>
}>() {
  /** Always: what is in memory has one owner. */
  static readonly layerMemory: Layer.Layer<DialLease> = Layer.succeed(DialLease, { mayDial: Effect.succeed(true) })
}
