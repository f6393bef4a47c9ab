import { Either } from "effect"
import { type ModelRequest, tenantOf } from "../ModelRequest.js"
import { Circuit, type CircuitOptions, type CircuitSettings, circuitSettings } from "./Circuit.js"
import { LruMap, mostTenants } from "./LruMap.js"
import { SharedCircuit, type SharedOutcome } from "./SharedCircuit.js"

/** An admitted request. Several calls may serve it; the first outcome that is not ignored counts. */
export interface Admitted {
  /** Records the outcome of a call; once per call. */
  readonly settle: (outcome: SharedOutcome, now: number) => void
}

/** A rejected call. */
export interface Refusal {
  /** Milliseconds until a call may be admitted. */
  readonly wait: number
  /** True when the circuit is open for every tenant, not only for the caller. */
  readonly isShared: boolean
}

interface Request extends Admitted {
  /** Calls that have not ended yet. */
  calls: number
}

interface Tenant {
  readonly circuit: Circuit
  /** The requests that are being served, by their ids. */
  readonly requests: Map<string, Request>
}

/** The circuit breakers of a model: one for each tenant, and the one that they share. */
class ModelCircuit {
  readonly #shared: SharedCircuit
  readonly #tenants: LruMap<string, Tenant>

  constructor(settings: CircuitSettings) {
    this.#shared = new SharedCircuit(settings)
    this.#tenants = new LruMap(mostTenants, () => ({ circuit: new Circuit(settings), requests: new Map() }))
  }

  /** Admits a call, or tells when one may be admitted. */
  admit(asked: ModelRequest, now: number): Either.Either<Admitted, Refusal> {
    const request = asked.origin?.request
    const tenant = tenantOf(asked)
    const { circuit, requests } = this.#tenants.get(tenant)
    const known = request === undefined ? undefined : requests.get(request)
    if (known !== undefined) {
      known.calls += 1
      return Either.right(known)
    }
    const shared = this.#shared.wait(tenant, now)
    const wait = Math.max(circuit.wait(now), shared)
    if (wait > 0) return Either.left({ wait, isShared: shared > 0 })
    const pass = circuit.enter(now)
    const sharedPass = this.#shared.enter(tenant, now)
    let isSettled = false
    const admitted: Request = {
      calls: 1,
      settle: (outcome, now) => {
        admitted.calls -= 1
        if (admitted.calls === 0 && request !== undefined) requests.delete(request)
        if (isSettled || (outcome === "ignored" && admitted.calls > 0)) return
        isSettled = true
        circuit.settle(pass, outcome === "unreachable" ? "failure" : outcome, now)
        const wasOpen = this.#shared.isOpen
        this.#shared.settle(sharedPass, tenant, outcome, now)
        // The shared circuit takes over: tenants start afresh when it closes.
        if (this.#shared.isOpen && !wasOpen) this.#tenants.clear()
      }
    }
    if (request !== undefined) requests.set(request, admitted)
    return Either.right(admitted)
  }
}

/** Capacity for models; beyond it, the least recently used are forgotten. */
const mostModels = 256

/** The circuit breakers of all models, in bounded memory however many models and tenants there are. */
export class ModelCircuits {
  readonly #models: LruMap<string, ModelCircuit>

  constructor(options: CircuitOptions) {
    const settings = circuitSettings(options)
    this.#models = new LruMap(mostModels, () => new ModelCircuit(settings))
  }

  /** Admits a call, or tells when one may be admitted. */
  admit(request: ModelRequest, now: number): Either.Either<Admitted, Refusal> {
    return this.#models.get(request.model).admit(request, now)
  }
}
