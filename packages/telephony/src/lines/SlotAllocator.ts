/** Somebody for whom lines are taken, within one workspace. */
export interface ClaimantState {
  readonly key: string
  readonly workspace: WorkspaceState
  /** Lines that it holds, and lines that are kept for it until it comes for them. */
  held: number
  reserved: number
  /** Its waiters by line, each line's in the order in which they came. */
  readonly waiting: Map<ConnectionState, Set<Waiter>>
}

/** The calls of one workspace. */
export interface WorkspaceState {
  readonly key: string
  inbound: number
  outbound: number
  reserved: number
  readonly claimants: Map<string, ClaimantState>
  /** Those of them who wait. */
  readonly waiting: Set<ClaimantState>
}

/** The calls of one connection, of every workspace. */
export interface ConnectionState {
  readonly key: string
  /** Infinity where the line has no limit of its own. */
  channels: number
  used: number
  reserved: number
  readonly waiting: Set<ClaimantState>
}

/** Somebody who waits for a line; `call` says that it is its turn. */
export interface Waiter {
  readonly claimant: ClaimantState
  readonly connection: ConnectionState
  readonly order: number
  /** Whether the line is taken for it at once, or kept until it comes. */
  readonly takesAtOnce: boolean
  readonly notify: () => void
}

/** A line that is kept for somebody who was called. */
export interface Reservation {
  readonly claimant: ClaimantState
  readonly connection: ConnectionState
}

/** Who holds which lines, who waits, and whose turn it is. Nothing in here waits or fails. */
export class SlotAllocator {
  readonly #workspaces = new Map<string, WorkspaceState>()
  readonly #lines = new Map<string, ConnectionState>()
  readonly #turns = new Set<Reservation>()
  readonly #limit: number
  readonly #reserve: number
  #order = 0

  /** `limit` lines in each workspace, `reserve` of which are for calls that come in. */
  constructor(limit: number, reserve: number) {
    this.#limit = limit
    this.#reserve = reserve
  }

  /** The lines that are kept for somebody who was called. */
  get reservations(): ReadonlySet<Reservation> {
    return this.#turns
  }

  /** How many workspaces and lines something is known of. */
  get size(): number {
    return this.#workspaces.size + this.#lines.size
  }

  /** The calls of a workspace. */
  inUse(key: string): number {
    const workspace = this.#workspaces.get(key)
    return workspace === undefined ? 0 : workspace.inbound + workspace.outbound
  }

  /** The calls of a connection. */
  channelsInUse(key: string): number {
    return this.#lines.get(key)?.used ?? 0
  }

  /** The taker of this name in a workspace. */
  claimant(workspaceKey: string, key: string): ClaimantState {
    const workspace = this.#workspaces.get(workspaceKey) ??
      { key: workspaceKey, inbound: 0, outbound: 0, reserved: 0, claimants: new Map(), waiting: new Set() }
    this.#workspaces.set(workspaceKey, workspace)
    const taker = workspace.claimants.get(key) ?? { key, workspace, held: 0, promised: 0, waiting: new Map() }
    workspace.claimants.set(key, taker)
    return taker
  }

  /** The line of a connection, with as many channels as it has now. */
  connection(key: string, channels: number): ConnectionState {
    const line = this.#lines.get(key) ?? { key, channels, used: 0, reserved: 0, waiting: new Set() }
    line.channels = channels
    this.#lines.set(key, line)
    return line
  }

  /** What is in the way of one more call, if anything; what is kept for others counts as taken. */
  exhaustedBy({ key, workspace }: ClaimantState, line: ConnectionState): "workspace" | "connection" | null {
    if (line.used + line.reserved >= line.channels) return "connection"
    const free = this.#limit - workspace.outbound - workspace.reserved - workspace.inbound
    const kept = key === INBOUND ? 0 : Math.max(0, this.#reserve - workspace.inbound)
    return free > kept ? null : "workspace"
  }

  /** Counts a call, whether there is room for it or not. */
  take(taker: ClaimantState, line: ConnectionState): void {
    taker.held += 1
    line.used += 1
    if (taker.key === INBOUND) taker.workspace.inbound += 1
    else taker.workspace.outbound += 1
  }

  /** The call is over: whoever has the fewest lines is called. */
  release(taker: ClaimantState, line: ConnectionState): void {
    taker.held -= 1
    line.used -= 1
    if (taker.key === INBOUND) taker.workspace.inbound -= 1
    else taker.workspace.outbound -= 1
    this.#callNext(taker.workspace, line)
    this.#tidy(taker, line)
  }

  /** Takes a line for somebody who may have been called; false when there is none. */
  tryTake(taker: ClaimantState, line: ConnectionState): boolean {
    const ours = Array.from(this.#turns).filter((turn) => turn.claimant === taker)
    for (const turn of ours) this.#drop(turn)
    const free = this.exhaustedBy(taker, line) === null
    if (free) this.take(taker, line)
    else for (const turn of ours) this.#promise(turn)
    if (free) {
      for (const turn of ours) {
        this.#callNext(taker.workspace, turn.connection)
        this.#tidy(taker, turn.connection)
      }
    }
    if (!free) this.#tidy(taker, line)
    return free
  }

  /** Waits behind the others; the result leaves the queue. */
  wait(
    taker: ClaimantState,
    line: ConnectionState,
    { notify: call, takesAtOnce: handed }: Pick<Waiter, "notify" | "takesAtOnce">
  ): () => void {
    const waiter: Waiter = {
      claimant: taker,
      connection: line,
      order: this.#order++,
      takesAtOnce: handed,
      notify: call
    }
    const queue = taker.waiting.get(line) ?? new Set()
    taker.waiting.set(line, queue.add(waiter))
    taker.workspace.waiting.add(taker)
    line.waiting.add(taker)
    return () => {
      this.#leave(waiter)
      this.#tidy(taker, line)
    }
  }

  /** Gives up what was kept for somebody who did not come. */
  expire(turn: Reservation): void {
    if (!this.#turns.has(turn)) return
    this.#drop(turn)
    this.#callNext(turn.claimant.workspace, turn.connection)
    this.#tidy(turn.claimant, turn.connection)
  }

  #promise(turn: Reservation) {
    this.#turns.add(turn)
    turn.claimant.reserved += 1
    turn.claimant.workspace.reserved += 1
    turn.connection.reserved += 1
  }

  #drop(turn: Reservation) {
    this.#turns.delete(turn)
    turn.claimant.reserved -= 1
    turn.claimant.workspace.reserved -= 1
    turn.connection.reserved -= 1
  }

  #leave(waiter: Waiter) {
    const { connection: line, claimant: taker } = waiter
    const queue = taker.waiting.get(line)
    if (queue === undefined || !queue.delete(waiter) || queue.size > 0) return
    taker.waiting.delete(line)
    line.waiting.delete(taker)
    if (taker.waiting.size === 0) taker.workspace.waiting.delete(taker)
  }

  /** Calls those who can be served now that something in this workspace or on this line is free. */
  #callNext(workspace: WorkspaceState, line: ConnectionState) {
    for (let next = this.#next(workspace, line); next !== null; next = this.#next(workspace, line)) {
      this.#leave(next)
      if (next.takesAtOnce) this.take(next.claimant, next.connection)
      else this.#promise({ claimant: next.claimant, connection: next.connection })
      next.notify()
    }
  }

  /** Of those who can be served, who has the fewest lines; among equals, who has waited longest. */
  #next(workspace: WorkspaceState, line: ConnectionState): Waiter | null {
    let best: Waiter | null = null
    const consider = (taker: ClaimantState, on: ConnectionState) => {
      const [first] = taker.waiting.get(on) ?? []
      if (first === undefined || this.exhaustedBy(taker, on) !== null) return
      const lead = best === null ? -1 : slotsOf(taker) - slotsOf(best.claimant)
      if (best === null || lead < 0 || (lead === 0 && first.order < best.order)) best = first
    }
    for (const taker of workspace.waiting) for (const on of taker.waiting.keys()) consider(taker, on)
    for (const taker of line.waiting) if (taker.workspace !== workspace) consider(taker, line)
    return best
  }

  /** Forgets whoever and whatever nothing is known of any more. */
  #tidy(taker: ClaimantState, line: ConnectionState) {
    const { claimants: takers } = taker.workspace
    if (slotsOf(taker) === 0 && taker.waiting.size === 0) removeEntry(takers, taker)
    if (takers.size === 0) removeEntry(this.#workspaces, taker.workspace)
    if (line.used === 0 && line.reserved === 0 && line.waiting.size === 0) removeEntry(this.#lines, line)
  }
}

/** The taker of the lines of calls that come in. */
export const INBOUND = "inbound"

const slotsOf = (taker: ClaimantState) => taker.held + taker.reserved

const removeEntry = <A extends { readonly key: string }>(known: Map<string, A>, one: A) => {
  if (known.get(one.key) === one) known.delete(one.key)
}
