import { type Scope, scopeKey } from "@trunkline/kernel"

/** How many tries may run at once. */
export interface DeliveryLimits {
  /** Over all receivers. */
  readonly total: number
  /** To one endpoint. */
  readonly perEndpoint: number
}

/** Whom webhooks go to: an endpoint of a workspace. */
export interface Receiver {
  readonly scope: Scope
  readonly endpoint: string
}

/** What to claim next: at most so many webhooks, and of each receiver and workspace no more than has room. */
export interface ClaimPlan {
  readonly limit: number
  /** How many receivers have no room. */
  readonly full: number
  /** Workspaces without room. */
  readonly exceptScopes: ReadonlyArray<Scope>
  readonly roomFor: (receiver: Receiver) => number
  readonly roomIn: (scope: Scope) => number
}

/** How much of the total the workspaces that have tries running may use; the rest is for those that come. */
const sharedPart = 3 / 4

interface Workspace {
  readonly scope: Scope
  readonly endpoints: Map<string, number>
  running: number
}

/**
 * The tries that run in this process, and what may run beside them.
 *
 * Workspaces share three quarters of the total evenly, and a quarter is left for those that have nothing running yet:
 * whoever's receivers hang, the webhooks of others go on.
 */
export class RunningTries {
  readonly #workspaces = new Map<string, Workspace>()
  #claimed = 0

  constructor(readonly limits: DeliveryLimits) {}

  /** A webhook has been claimed, and its try begins. */
  started({ endpoint, scope }: Receiver): void {
    const workspace = this.#workspaces.get(scopeKey(scope)) ?? { scope, endpoints: new Map(), running: 0 }
    workspace.running++
    workspace.endpoints.set(endpoint, (workspace.endpoints.get(endpoint) ?? 0) + 1)
    this.#workspaces.set(scopeKey(scope), workspace)
    this.#claimed++
  }

  /** A try has got its answer, or none: its receiver has room for another one. */
  ended({ endpoint, scope }: Receiver): void {
    const workspace = this.#workspaces.get(scopeKey(scope))
    if (workspace === undefined) return
    workspace.running--
    if (workspace.running === 0) this.#workspaces.delete(scopeKey(scope))
    const running = (workspace.endpoints.get(endpoint) ?? 0) - 1
    if (running > 0) workspace.endpoints.set(endpoint, running)
    else workspace.endpoints.delete(endpoint)
  }

  /** The results of so many tries are stored, or are no more: until then they count against the total. */
  recorded(count: number): void {
    this.#claimed -= count
  }

  /** What may be claimed now. */
  plan(): ClaimPlan {
    const { perEndpoint, total } = this.limits
    const workspaces = [...this.#workspaces.values()]
    // Whoever begins while the plan is carried out shares with nobody else that the plan knows of.
    const share = (workspaces: number) => Math.max(1, Math.ceil(total * sharedPart / Math.max(1, workspaces)))
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
      roomFor: ({ endpoint, scope }) =>
        perEndpoint - (this.#workspaces.get(scopeKey(scope))?.endpoints.get(endpoint) ?? 0),
      roomIn
    }
  }
}

/** Whether a receiver and its workspace have room for a try. */
export const hasRoom = (plan: ClaimPlan, receiver: Receiver): boolean =>
  plan.roomFor(receiver) > 0 && plan.roomIn(receiver.scope) > 0

/** Counts along while a plan is carried out. */
export const makeQuota = (plan: ClaimPlan) => {
  const taken = new Map<string, number>()
  let left = plan.limit
  return {
    /** How many webhooks of the receiver may be claimed now. */
    of: (receiver: Receiver): number =>
      Math.max(
        0,
        Math.min(
          left,
          plan.roomFor(receiver),
          plan.roomIn(receiver.scope) - (taken.get(scopeKey(receiver.scope)) ?? 0)
        )
      ),
    /** So many of them have been claimed. */
    took: ({ scope }: Receiver, count: number): void => {
      left -= count
      taken.set(scopeKey(scope), (taken.get(scopeKey(scope)) ?? 0) + count)
    }
  }
}
