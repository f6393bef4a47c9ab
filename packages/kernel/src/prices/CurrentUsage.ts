import { FiberRef, GlobalValue } from "effect"
import type { CostLine } from "./CostLedger.js"

/** A quantity of a provider's service that was used. */
export interface ServiceUsage extends Pick<CostLine, "service" | "provider" | "model" | "unit"> {
  readonly quantity: number
  /** The provider did not tell the quantity, so that it was estimated. Absent: false. */
  readonly estimated?: boolean
}

/** Adds up what a call, or work after it, uses of providers. */
export interface UsageMeter {
  /** Adds a quantity. */
  readonly note: (usage: ServiceUsage) => void
  /** Use so far, each kind once. */
  readonly all: () => ReadonlyArray<ServiceUsage>
}

/** Makes a meter that has noted nothing. */
export const makeUsageMeter = (): UsageMeter => {
  const byKey = new Map<string, ServiceUsage>()
  return {
    note: (usage) => {
      if (!(usage.quantity > 0)) return
      const { estimated = false, model, provider, service, unit } = usage
      const key = JSON.stringify([service, provider, model, unit, estimated])
      const before = byKey.get(key)?.quantity ?? 0
      byKey.set(key, { ...usage, quantity: before + usage.quantity })
    },
    all: () => [...byKey.values()]
  }
}

/** The meter of what the running fiber uses, and the fibers that it starts; null, the default, where nobody counts. */
export const CurrentUsage: FiberRef.FiberRef<UsageMeter | null> = GlobalValue.globalValue(
  Symbol.for("@trunkline/kernel/CurrentUsage"),
  () => FiberRef.unsafeMake<UsageMeter | null>(null)
)
