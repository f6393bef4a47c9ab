import { it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { VirtualClock, type VirtualClockOptions } from "./VirtualClock.js"

/** A test whose effect runs on `VirtualClock`: sleeping costs nothing, and the scope closes in virtual time. */
export const virtual = <A, E>(
  name: string,
  effect: () => Effect.Effect<A, E, Scope.Scope>,
  options?: VirtualClockOptions
): void => it.live(name, () => VirtualClock.run(Effect.scoped(effect()), options))
