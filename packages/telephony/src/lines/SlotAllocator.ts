import {
  type ClaimantState,
  type ConnectionState,
  inboundKey,
  type SlotLimits,
  type SlotReservation,
  type Waiter,
  type WorkspaceState
} from "./SlotStates.js"

/**
 * Bookkeeping of call slots: slots in use, reservations and waiters. Plain synchronous state; no method waits or
 * fails.
 */
export class SlotAllocator {
  readonly #limits: SlotLimits
  readonly #workspaces = new Map<string, WorkspaceState>()
  readonly #connections = new Map<string, ConnectionState>()
  readonly #reservations = new Set<SlotReservation>()
  #order = 0

  /** The limits may change at any time; `limitsChanged` must be called when one has grown. */
  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** The slots reserved for claimants that were notified. */
  get reservations(): ReadonlySet<SlotReservation> {
    return this.#reservations
  }

  /** Number of workspaces and connections with any state. */
  get size(): number {
    return this.#workspaces.size + this.#connections.size
  }

  /** Calls in progress in a workspace. */
  inUse(key: string): number {
    const workspace = this.#workspaces.get(key)
    return workspace === undefined ? 0 : workspace.inbound + workspace.outbound
  }

  /** Slots of a workspace that are in use or reserved, those of them that are not for inbound calls, and waiters. */
  useOf(key: string): { readonly total: number; readonly outbound: number; readonly hasWaiters: boolean } {
    const workspace = this.#workspaces.get(key)
    if (workspace === undefined) return { total: 0, outbound: 0, hasWaiters: false }
    const outbound = workspace.outbound + workspace.reserved
    return { total: workspace.inbound + outbound, outbound, hasWaiters: workspace.waiting.size > 0 }
  }

  /** Slots of a connection that are in use or reserved, and waiters. */
  channelUseOf(key: string): { readonly used: number; readonly hasWaiters: boolean } {
    const connection = this.#connections.get(key)
    return connection === undefined
      ? { used: 0, hasWaiters: false }
      : { used: connection.used + connection.reserved, hasWaiters: connection.waiting.size > 0 }
  }

  /** Calls in progress on a connection. */
  channelsInUse(key: string): number {
    return this.#connections.get(key)?.used ?? 0
  }

  /** The state of a claimant in a workspace, created when missing. */
  claimant(workspaceKey: string, key: string): ClaimantState {
    const workspace: WorkspaceState = this.#workspaces.get(workspaceKey) ??
      { key: workspaceKey, inbound: 0, outbound: 0, reserved: 0, claimants: new Map(), waiting: new Set() }
    this.#workspaces.set(workspaceKey, workspace)
    const claimant: ClaimantState = workspace.claimants.get(key) ??
      { key, workspace, held: 0, reserved: 0, waiting: new Map() }
    workspace.claimants.set(key, claimant)
    return claimant
  }

  /** The state of a connection, created when missing and updated to its current number of channels. */
  connection(key: string, channels: number): ConnectionState {
    const connection: ConnectionState = this.#connections.get(key) ??
      { key, channels, used: 0, reserved: 0, waiting: new Set() }
    connection.channels = channels
    this.#connections.set(key, connection)
    return connection
  }

  /** The limit that prevents one more call, if any. Reserved slots count as used. */
  exhaustedBy({ key, workspace }: ClaimantState, connection: ConnectionState): "workspace" | "connection" | null {
    const { channels: max, key: id } = connection
    const channels = max === Infinity ? Infinity : Math.min(max, this.#limits.channels(id))
    if (connection.used + connection.reserved >= channels) return "connection"
    const outbound = workspace.outbound + workspace.reserved
    const isExhausted = outbound + workspace.inbound >= this.#limits.total(workspace.key)
      || (key !== inboundKey && outbound >= this.#limits.outbound(workspace.key))
    return isExhausted ? "workspace" : null
  }

  /** Takes a slot, even over the limit. */
  take(claimant: ClaimantState, connection: ConnectionState): void {
    claimant.held += 1
    connection.used += 1
    if (claimant.key === inboundKey) claimant.workspace.inbound += 1
    else claimant.workspace.outbound += 1
  }

  /** Releases a slot and notifies the next waiters. */
  release(claimant: ClaimantState, connection: ConnectionState): void {
    claimant.held -= 1
    connection.used -= 1
    if (claimant.key === inboundKey) claimant.workspace.inbound -= 1
    else claimant.workspace.outbound -= 1
    this.#notifyNext(claimant.workspace, connection)
    this.#prune(claimant, connection)
  }

  /** Takes a slot if one is free or reserved for the claimant; returns false otherwise. */
  tryTake(claimant: ClaimantState, connection: ConnectionState): boolean {
    const reservations = Array.from(this.#reservations).filter((reservation) => reservation.claimant === claimant)
    for (const reservation of reservations) this.#cancel(reservation)
    if (this.exhaustedBy(claimant, connection) !== null) {
      for (const reservation of reservations) this.#reserve(reservation)
      this.#prune(claimant, connection)
      return false
    }
    this.take(claimant, connection)
    for (const reservation of reservations) {
      this.#notifyNext(claimant.workspace, reservation.connection)
      this.#prune(claimant, reservation.connection)
    }
    return true
  }

  /** Joins the queue; the returned function leaves it. */
  wait(
    claimant: ClaimantState,
    connection: ConnectionState,
    { notify, takesAtOnce }: Pick<Waiter, "notify" | "takesAtOnce">
  ): () => void {
    const waiter: Waiter = { claimant, connection, order: this.#order++, takesAtOnce, notify }
    const queue = claimant.waiting.get(connection) ?? new Set()
    claimant.waiting.set(connection, queue.add(waiter))
    claimant.workspace.waiting.add(claimant)
    connection.waiting.add(claimant)
    return () => {
      this.#leave(waiter)
      this.#prune(claimant, connection)
    }
  }

  /** Notifies the waiters that can be served now that limits have grown. */
  limitsChanged(): void {
    for (const workspace of this.#workspaces.values()) {
      for (const claimant of workspace.waiting) {
        for (const connection of claimant.waiting.keys()) this.#notifyNext(workspace, connection)
      }
    }
  }

  /** Gives up a reservation that was not used and notifies the next waiters. */
  expire(reservation: SlotReservation): void {
    if (!this.#reservations.has(reservation)) return
    this.#cancel(reservation)
    this.#notifyNext(reservation.claimant.workspace, reservation.connection)
    this.#prune(reservation.claimant, reservation.connection)
  }

  #reserve(reservation: SlotReservation) {
    this.#reservations.add(reservation)
    reservation.claimant.reserved += 1
    reservation.claimant.workspace.reserved += 1
    reservation.connection.reserved += 1
  }

  #cancel(reservation: SlotReservation) {
    this.#reservations.delete(reservation)
    reservation.claimant.reserved -= 1
    reservation.claimant.workspace.reserved -= 1
    reservation.connection.reserved -= 1
  }

  #leave(waiter: Waiter) {
    const { claimant, connection } = waiter
    const queue = claimant.waiting.get(connection)
    if (queue === undefined || !queue.delete(waiter) || queue.size > 0) return
    claimant.waiting.delete(connection)
    connection.waiting.delete(claimant)
    if (claimant.waiting.size === 0) claimant.workspace.waiting.delete(claimant)
  }

  /** Notifies every waiter that can be served now that a slot of this workspace or connection is free. */
  #notifyNext(workspace: WorkspaceState, connection: ConnectionState) {
    for (let next = this.#next(workspace, connection); next !== null; next = this.#next(workspace, connection)) {
      this.#leave(next)
      if (next.takesAtOnce) this.take(next.claimant, next.connection)
      else this.#reserve({ claimant: next.claimant, connection: next.connection })
      next.notify()
    }
  }

  /** The serviceable waiter whose claimant has the fewest slots; ties go to the one that has waited longest. */
  #next(workspace: WorkspaceState, connection: ConnectionState): Waiter | null {
    let best: Waiter | null = null
    const consider = (claimant: ClaimantState, on: ConnectionState) => {
      const [first] = claimant.waiting.get(on) ?? []
      if (first === undefined || this.exhaustedBy(claimant, on) !== null) return
      const lead = best === null ? -1 : slotsOf(claimant) - slotsOf(best.claimant)
      if (best === null || lead < 0 || (lead === 0 && first.order < best.order)) best = first
    }
    for (const claimant of workspace.waiting) for (const on of claimant.waiting.keys()) consider(claimant, on)
    for (const claimant of connection.waiting) {
      if (claimant.workspace !== workspace) consider(claimant, connection)
    }
    return best
  }

  /** Removes state that holds no slots and no waiters. */
  #prune(claimant: ClaimantState, connection: ConnectionState) {
    const { claimants } = claimant.workspace
    if (slotsOf(claimant) === 0 && claimant.waiting.size === 0) removeEntry(claimants, claimant)
    if (claimants.size === 0) removeEntry(this.#workspaces, claimant.workspace)
    if (connection.used === 0 && connection.reserved === 0 && connection.waiting.size === 0) {
      removeEntry(this.#connections, connection)
    }
  }
}

const slotsOf = (claimant: ClaimantState) => claimant.held + claimant.reserved

const removeEntry = <A extends { readonly key: string }>(entries: Map<string, A>, entry: A) => {
  if (entries.get(entry.key) === entry) entries.delete(entry.key)
}
