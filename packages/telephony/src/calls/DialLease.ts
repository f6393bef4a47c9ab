import { Context, Effect, Layer } from "effect"

/**
 * Permission of this process to dial. A process that takes over the work recovers the unfinished attempts, so this
 * process must not be dialling any of them by then.
 */
export class DialLease extends Context.Tag("@trunkline/telephony/DialLease")<DialLease, {
  /**
   * Checked right before a dial: true when a dial that begins now ends before another process can own the work. When
   * false, nothing is dialled.
   */
  readonly mayDial: Effect.Effect<boolean>
}>() {
  /** Always grants permission: state in memory has a single owner. */
  static readonly layerMemory: Layer.Layer<DialLease> = Layer.succeed(DialLease, { mayDial: Effect.succeed(true) })
}
