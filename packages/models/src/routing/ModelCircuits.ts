import { type BreakerOutcome, CircuitBreaker, type CircuitBreakerSettings } from "@trunkline/kernel"
import { Either } from "effect"
import { LRUCache } from "lru-cache"
import { maxTenants, type ModelRequest, tenantOf } from "../ModelRequest.js"
import { SharedCircuit, type SharedOutcome } from "./SharedCircuit.js"

/** An admitted request. Several calls may serve it; the first outcome that is not ignored counts. */
export interface CircuitAdmission {
  /** Records the outcome of a call; once per call. */
  readonly settle: (outcome: SharedOutcome, now: number) => void
}

/** A rejected call. */
export interface CircuitRejection {
  /** Milliseconds until a call may be admitted. */
  readonly wait: number
  /** True when the circuit is open for every tenant, not only for the caller. */
  readonly isShared: boolean
}

interface OpenRequest extends CircuitAdmission {
  /** Calls that have not ended yet. */
  calls: number
}

interface Tenant {
  readonly breaker: CircuitBreaker
  /** Requests that are being served, by their ids. */
  readonly requests: Map<string, OpenRequest>
}

const ownOutcome = (outcome: SharedOutcome): BreakerOutcome => outcome === "unreachable" ? "failure" : outcome

/** The circuit breakers of a model: one per tenant, and one that all tenants share. */
class ModelCircuit {
  readonly #shared: SharedCircuit
  readonly #tenants: LRUCache<string, Tenant>

  constructor(settings: CircuitBreakerSettings) {
    this.#shared = new SharedCircuit(settings)
    this.#tenants = new LRUCache({
      max: maxTenants,
      memoMethod: () => ({ breaker: new CircuitBreaker(settings), requests: new Map() })
    })
  }

  admit(modelRequest: ModelRequest, now: number): Either.Either<CircuitAdmission, CircuitRejection> {
    const id = modelRequest.origin?.request
    const tenant = tenantOf(modelRequest)
    const { breaker, requests } = this.#tenants.memo(tenant)
    const open = id === undefined ? undefined : requests.get(id)
    if (open !== undefined) {
      open.calls += 1
      return Either.right(open)
    }
    const sharedWait = this.#shared.wait(tenant, now)
    const wait = Math.max(breaker.wait(now), sharedWait)
    if (wait > 0) return Either.left({ wait, isShared: sharedWait > 0 })
    const pass = breaker.enter(now)
    const sharedPass = this.#shared.enter(tenant, now)
    let isSettled = false
    const request: OpenRequest = {
      calls: 1,
      settle: (outcome, now) => {
        request.calls -= 1
        if (request.calls === 0 && id !== undefined) requests.delete(id)
        if (isSettled || (outcome === "ignored" && request.calls > 0)) return
        isSettled = true
        breaker.settle(pass, ownOutcome(outcome), now)
        const wasOpen = this.#shared.isOpen
        this.#shared.settle(sharedPass, tenant, outcome, now)
        // The shared circuit takes over: tenants start afresh when it closes.
        if (this.#shared.isOpen && !wasOpen) this.#tenants.clear()
      }
    }
    if (id !== undefined) requests.set(id, request)
    return Either.right(request)
  }
}

/** Capacity for models; beyond it, the least recently used are forgotten. */
const maxModels = 256

/** The circuit breakers of all models, in bounded memory however many models and tenants there are. */
export class ModelCircuits {
  readonly #models: LRUCache<string, ModelCircuit>

  constructor(settings: CircuitBreakerSettings) {
    this.#models = new LRUCache({ max: maxModels, memoMethod: () => new ModelCircuit(settings) })
  }

  /** Admits a call, or reports when one may be admitted. */
  admit(request: ModelRequest, now: number): Either.Either<CircuitAdmission, CircuitRejection> {
    return this.#models.memo(request.model).admit(request, now)
  }
}
