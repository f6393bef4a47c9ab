import { type BreakerOutcome, type CallTotals, type CircuitBreakerSettings, SlidingWindow } from "@trunkline/kernel"
import { LRUCache } from "lru-cache"
import { maxTenants } from "../ModelRequest.js"

/** Outcome of a call; `unreachable` when no connection could be made, which no tenant can cause. */
export type SharedOutcome = BreakerOutcome | "unreachable"

/** A half-open round: the tenants that have sent their probe, and the slots for more of them until the round ends. */
interface Round {
  readonly tenants: Set<string>
  readonly slots: number
  readonly endsAt: number
}

/** Admission of a call, to be settled when the call has ended; the round is null in the closed state. */
export interface SharedPass {
  readonly generation: number
  readonly round: Round | null
}

/** Two, so that one tenant can neither take all probes nor keep the circuit open by failing them. */
const probesPerRound = 2

const noCalls: CallTotals = { calls: 0, failures: 0 }

/**
 * The circuit breaker that the tenants of a model share. It opens when too many calls fail, and would still open with
 * any one tenant left out, so that no tenant alone can open it. Calls that could not reach the model count for no
 * tenant. Half-open, it lets one probe through from each of two tenants per round; the first success closes it. Times
 * are milliseconds of any one clock.
 */
export class SharedCircuit {
  readonly #settings: CircuitBreakerSettings
  readonly #windows: LRUCache<string, SlidingWindow>
  readonly #unreachable: SlidingWindow
  #generation = 0
  /** Null while the circuit is closed. */
  #round: Round | null = null

  constructor(settings: CircuitBreakerSettings) {
    this.#settings = settings
    this.#windows = new LRUCache({ max: maxTenants, memoMethod: () => new SlidingWindow(settings.window) })
    this.#unreachable = new SlidingWindow(settings.window)
  }

  /** True in the open and half-open states. */
  get isOpen(): boolean {
    return this.#round !== null
  }

  /** Milliseconds until a call of a tenant may be let in; 0 when it may be now. */
  wait(tenant: string, now: number): number {
    if (this.#round === null) return 0
    const { endsAt, slots, tenants } = this.#round
    return now >= endsAt || (tenants.size < slots && !tenants.has(tenant)) ? 0 : endsAt - now
  }

  /** Admits a call of a tenant. Only call it when `wait` is 0. */
  enter(tenant: string, now: number): SharedPass {
    if (this.#round !== null && now >= this.#round.endsAt) this.#begin(probesPerRound, now)
    this.#round?.tenants.add(tenant)
    return { generation: this.#generation, round: this.#round }
  }

  /** Records the outcome of a call; once per pass. */
  settle({ generation, round }: SharedPass, tenant: string, outcome: SharedOutcome, now: number): void {
    if (generation !== this.#generation) return
    if (this.#round === null) this.#count(tenant, outcome, now)
    else if (outcome === "success") this.#close()
    else if (outcome === "unreachable") this.#begin(0, now)
    else if (outcome === "ignored") round?.tenants.delete(tenant)
  }

  #count(tenant: string, outcome: SharedOutcome, now: number): void {
    if (outcome === "ignored") return
    const window = outcome === "unreachable" ? this.#unreachable : this.#windows.memo(tenant)
    window.add(now, outcome !== "success")
    if (outcome !== "success" && this.#isFailing(now)) this.#open(now)
  }

  #isFailing(now: number): boolean {
    const { failureThreshold, minimumCalls } = this.#settings
    const tenants = Array.from(this.#windows.values(), (window) => window.totals(now))
    const total = [this.#unreachable.totals(now), ...tenants].reduce((sum, totals) => ({
      calls: sum.calls + totals.calls,
      failures: sum.failures + totals.failures
    }))
    const isFailingWithout = (tenantTotals: CallTotals, min: number) =>
      total.calls - tenantTotals.calls >= min &&
      total.failures - tenantTotals.failures >= failureThreshold * (total.calls - tenantTotals.calls)
    return isFailingWithout(noCalls, minimumCalls)
      && tenants.every((totals) => totals.failures === 0 || isFailingWithout(totals, minimumCalls / 2))
  }

  #open(now: number): void {
    this.#generation += 1
    this.#begin(0, now)
    this.#windows.clear()
    this.#unreachable.clear()
  }

  #close(): void {
    this.#generation += 1
    this.#round = null
  }

  #begin(slots: number, now: number): void {
    this.#round = { tenants: new Set(), slots, endsAt: now + this.#settings.openFor }
  }
}
