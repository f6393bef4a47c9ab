import type { Duration, Effect } from "effect"
import { type Dedupe, DialFailed, type DialPlan } from "../carriers/Carrier.js"
import type { Callee, SimulatorRule } from "./Callee.js"

/** A fault of the simulated provider while it is asked to dial. */
export type DialFault =
  /** Accepts the call but never responds. */
  | { readonly _tag: "Lost" }
  /** Accepts the call but responds with an ambiguous error. */
  | { readonly _tag: "FailedAfter" }
  /** Does not accept the call and responds with an ambiguous error. */
  | { readonly _tag: "FailedBefore" }
  /** Refuses the call explicitly. */
  | { readonly _tag: "Refused" }
  /** Responds with an ambiguous error and accepts the call later, in business time. */
  | { readonly _tag: "Late"; readonly after: Duration.Duration }

/** An ambiguous error: the call may have been accepted. */
export const serverError = new DialFailed({ certainty: "unknown", reason: "simulator: server error" })

/** An explicit refusal. */
export const tooManyRequests = new DialFailed({ certainty: "provider", reason: "simulator: too many requests" })

/** Options of the simulated network: its callees and faults. */
export interface SimulatorOptions {
  /** Callees by number; the first match wins. */
  readonly rules?: ReadonlyArray<SimulatorRule>
  /** Callee of every other number; default `answer`. */
  readonly default?: Callee
  /** Dedupe support of the provider; default a key for 24 h. */
  readonly dedupe?: Dedupe
  /** Fault of a dial, evaluated for each dial; default none. */
  readonly fault?: (plan: DialPlan) => Effect.Effect<DialFault | null>
  /** Delay until a call can be found by its attempt; default none. Must not exceed the `settle` of `dedupe`. */
  readonly visibleAfter?: Duration.Duration
  /** Delay until a call can be found by its id; default none. */
  readonly visibleByIdAfter?: Duration.Duration
  /** True for a network that connects calls with other numbers by itself; default true. */
  readonly refers?: boolean
  /** True while lookups fail, evaluated for each lookup; default never. */
  readonly unreachable?: Effect.Effect<boolean>
}
