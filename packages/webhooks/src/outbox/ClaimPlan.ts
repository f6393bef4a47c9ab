import { type Scope, scopeKey } from "@trunkline/kernel"

/** Limits of concurrent tries. */
export interface DeliveryLimits {
  /** To all receivers together. */
  readonly total: number
  /** To each endpoint. */
  readonly perEndpoint: number
}

/** Destination of webhooks: an endpoint of a workspace. */
export interface Receiver {
  readonly scope: Scope
  readonly endpoint: string
}

/** Limits of the next claim: in total, per receiver and per workspace. */
export interface ClaimPlan {
  readonly limit: number
  /** Number of receivers without free slots. */
  readonly full: number
  /** Workspaces without free slots. */
  readonly exceptScopes: ReadonlyArray<Scope>
  /** Free slots of a receiver. */
  readonly freeSlotsFor: (receiver: Receiver) => number
  /** Free slots of a workspace. */
  readonly freeSlotsIn: (scope: Scope) => number
}

/** Share of the total for workspaces with running tries; the rest is reserved for others. */
const activeShare = 3 / 4

interface Workspace {
  readonly scope: Scope
  readonly endpoints: Map<string, number>
  running: number
}

/**
 * Tracks the running tries of this process and plans claims for free slots.
 *
 * Workspaces with running tries share three quarters of the total evenly. A quarter stays reserved for workspaces without
 * any, so that receivers that hang do not stop the webhooks of other workspaces.
 */
export class RunningTries {
  readonly #workspaces = new Map<string, Workspace>()
  #claimed = 0

  constructor(readonly limits: DeliveryLimits) {}

  /** Counts a claimed webhook whose try begins. */
  started({ endpoint, scope }: Receiver): void {
    const workspace = this.#workspaces.get(scopeKey(scope)) ?? { scope, endpoints: new Map(), running: 0 }
    workspace.running++
    workspace.endpoints.set(endpoint, (workspace.endpoints.get(endpoint) ?? 0) + 1)
    this.#workspaces.set(scopeKey(scope), workspace)
    this.#claimed++
  }

  /** Frees the slot of a try that has ended. */
  ended({ endpoint, scope }: Receiver): void {
    const workspace = this.#workspaces.get(scopeKey(scope))
    if (workspace === undefined) return
    workspace.running--
    if (workspace.running === 0) this.#workspaces.delete(scopeKey(scope))
    const running = (workspace.endpoints.get(endpoint) ?? 0) - 1
    if (running > 0) workspace.endpoints.set(endpoint, running)
    else workspace.endpoints.delete(endpoint)
  }

  /** Frees tries whose results are stored or dropped; until then they count against the total. */
  recorded(count: number): void {
    this.#claimed -= count
  }

  /** Limits of a claim at this moment. */
  plan(): ClaimPlan {
    const { perEndpoint, total } = this.limits
    const workspaces = [...this.#workspaces.values()]
    // A workspace that starts during the claim shares with those that the plan knows.
    const share = (workspaces: number) => Math.max(1, Math.ceil(total * activeShare / Math.max(1, workspaces)))
    const roomIn = (scope: Scope) => {
      const workspace = this.#workspaces.get(scopeKey(scope))
      return workspace === undefined
        ? share(workspaces.length + 1)
        : share(workspaces.length) - workspace.running
    }
    const full = workspaces.flatMap(({ endpoints }) => [...endpoints.values()]).filter((count) => count >= perEndpoint)
    return {
      limit: Math.max(0, total - this.#claimed),
      full: full.length,
      exceptScopes: workspaces.map(({ scope }) => scope).filter((scope) => roomIn(scope) <= 0),
      freeSlotsFor: ({ endpoint, scope }) =>
        perEndpoint - (this.#workspaces.get(scopeKey(scope))?.endpoints.get(endpoint) ?? 0),
      freeSlotsIn: roomIn
    }
  }
}

/** True if a receiver and its workspace have a free slot. */
export const hasRoom = (plan: ClaimPlan, receiver: Receiver): boolean =>
  plan.freeSlotsFor(receiver) > 0 && plan.freeSlotsIn(receiver.scope) > 0

/** Tracks the remaining slots of a plan during a claim. */
export const makeQuota = (plan: ClaimPlan) => {
  const claims = new Map<string, number>()
  let remaining = plan.limit
  return {
    /** Number of webhooks of the receiver that may still be claimed. */
    of: (receiver: Receiver): number =>
      Math.max(
        0,
        Math.min(
          remaining,
          plan.freeSlotsFor(receiver),
          plan.freeSlotsIn(receiver.scope) - (claims.get(scopeKey(receiver.scope)) ?? 0)
        )
      ),
    /** Counts claimed webhooks of the receiver. */
    took: ({ scope }: Receiver, count: number): void => {
      remaining -= count
      claims.set(scopeKey(scope), (claims.get(scopeKey(scope)) ?? 0) + count)
    }
  }
}
