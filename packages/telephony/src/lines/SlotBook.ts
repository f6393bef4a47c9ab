/** Somebody for whom lines are taken, within one workspace. */
export interface Taker {
  readonly key: string
  readonly workspace: Workspace
  /** Lines that it holds, and lines that are kept for it until it comes for them. */
  held: number
  promised: number
  /** Its waiters by line, each line's in the order in which they came. */
  readonly waiting: Map<Line, Set<Waiter>>
}

/** The calls of one workspace. */
export interface Workspace {
  readonly key: string
  inbound: number
  outbound: number
  promised: number
  readonly takers: Map<string, Taker>
  /** Those of them who wait. */
  readonly waiting: Set<Taker>
}

/** The calls of one connection, of every workspace. */
export interface Line {
  readonly key: string
  /** Infinity where the line has no limit of its own. */
  channels: number
  used: number
  promised: number
  readonly waiting: Set<Taker>
}

/** Somebody who waits for a line; `call` says that it is its turn. */
export interface Waiter {
  readonly taker: Taker
  readonly line: Line
  readonly order: number
  /** Whether the line is taken for it at once, or kept until it comes. */
  readonly handed: boolean
  readonly call: () => void
}

/** A line that is kept for somebody who was called. */
export interface Turn {
  readonly taker: Taker
  readonly line: Line
}

/** Who holds which lines, who waits, and whose turn it is. Nothing in here waits or fails. */
export class SlotBook {
  readonly #workspaces = new Map<string, Workspace>()
  readonly #lines = new Map<string, Line>()
  readonly #turns = new Set<Turn>()
  readonly #limit: number
  readonly #reserve: number
  #order = 0

  /** `limit` lines in each workspace, `reserve` of which are for calls that come in. */
  constructor(limit: number, reserve: number) {
    this.#limit = limit
    this.#reserve = reserve
  }

  /** The lines that are kept for somebody who was called. */
  get turns(): ReadonlySet<Turn> {
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
  use(key: string): number {
    return this.#lines.get(key)?.used ?? 0
  }

  /** The taker of this name in a workspace. */
  taker(workspaceKey: string, key: string): Taker {
    const workspace = this.#workspaces.get(workspaceKey) ??
      { key: workspaceKey, inbound: 0, outbound: 0, promised: 0, takers: new Map(), waiting: new Set() }
    this.#workspaces.set(workspaceKey, workspace)
    const taker = workspace.takers.get(key) ?? { key, workspace, held: 0, promised: 0, waiting: new Map() }
    workspace.takers.set(key, taker)
    return taker
  }

  /** The line of a connection, with as many channels as it has now. */
  line(key: string, channels: number): Line {
    const line = this.#lines.get(key) ?? { key, channels, used: 0, promised: 0, waiting: new Set() }
    line.channels = channels
    this.#lines.set(key, line)
    return line
  }

  /** What is in the way of one more call, if anything; what is kept for others counts as taken. */
  obstacle({ key, workspace }: Taker, line: Line): "workspace" | "connection" | null {
    if (line.used + line.promised >= line.channels) return "connection"
    const free = this.#limit - workspace.outbound - workspace.promised - workspace.inbound
    const kept = key === INBOUND ? 0 : Math.max(0, this.#reserve - workspace.inbound)
    return free > kept ? null : "workspace"
  }

  /** Counts a call, whether there is room for it or not. */
  take(taker: Taker, line: Line): void {
    taker.held += 1
    line.used += 1
    if (taker.key === INBOUND) taker.workspace.inbound += 1
    else taker.workspace.outbound += 1
  }

  /** The call is over: whoever has the fewest lines is called. */
  release(taker: Taker, line: Line): void {
    taker.held -= 1
    line.used -= 1
    if (taker.key === INBOUND) taker.workspace.inbound -= 1
    else taker.workspace.outbound -= 1
    this.#callNext(taker.workspace, line)
    this.#tidy(taker, line)
  }

  /** Takes a line for somebody who may have been called; false when there is none. */
  tryTake(taker: Taker, line: Line): boolean {
    const ours = Array.from(this.#turns).filter((turn) => turn.taker === taker)
    for (const turn of ours) this.#drop(turn)
    const free = this.obstacle(taker, line) === null
    if (free) this.take(taker, line)
    else for (const turn of ours) this.#promise(turn)
    if (free) {
      for (const turn of ours) {
        this.#callNext(taker.workspace, turn.line)
        this.#tidy(taker, turn.line)
      }
    }
    if (!free) this.#tidy(taker, line)
    return free
  }

  /** Waits behind the others; the result leaves the queue. */
  wait(taker: Taker, line: Line, { call, handed }: Pick<Waiter, "call" | "handed">): () => void {
    const waiter: Waiter = { taker, line, order: this.#order++, handed, call }
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
  lapse(turn: Turn): void {
    if (!this.#turns.has(turn)) return
    this.#drop(turn)
    this.#callNext(turn.taker.workspace, turn.line)
    this.#tidy(turn.taker, turn.line)
  }

  #promise(turn: Turn) {
    this.#turns.add(turn)
    turn.taker.promised += 1
    turn.taker.workspace.promised += 1
    turn.line.promised += 1
  }

  #drop(turn: Turn) {
    this.#turns.delete(turn)
    turn.taker.promised -= 1
    turn.taker.workspace.promised -= 1
    turn.line.promised -= 1
  }

  #leave(waiter: Waiter) {
    const { line, taker } = waiter
    const queue = taker.waiting.get(line)
    if (queue === undefined || !queue.delete(waiter) || queue.size > 0) return
    taker.waiting.delete(line)
    line.waiting.delete(taker)
    if (taker.waiting.size === 0) taker.workspace.waiting.delete(taker)
  }

  /** Calls those who can be served now that something in this workspace or on this line is free. */
  #callNext(workspace: Workspace, line: Line) {
    for (let next = this.#next(workspace, line); next !== null; next = this.#next(workspace, line)) {
      this.#leave(next)
      if (next.handed) this.take(next.taker, next.line)
      else this.#promise({ taker: next.taker, line: next.line })
      next.call()
    }
  }

  /** Of those who can be served, who has the fewest lines; among equals, who has waited longest. */
  #next(workspace: Workspace, line: Line): Waiter | null {
    let best: Waiter | null = null
    const consider = (taker: Taker, on: Line) => {
      const [first] = taker.waiting.get(on) ?? []
      if (first === undefined || this.obstacle(taker, on) !== null) return
      const lead = best === null ? -1 : share(taker) - share(best.taker)
      if (best === null || lead < 0 || (lead === 0 && first.order < best.order)) best = first
    }
    for (const taker of workspace.waiting) for (const on of taker.waiting.keys()) consider(taker, on)
    for (const taker of line.waiting) if (taker.workspace !== workspace) consider(taker, line)
    return best
  }

  /** Forgets whoever and whatever nothing is known of any more. */
  #tidy(taker: Taker, line: Line) {
    const { takers } = taker.workspace
    if (share(taker) === 0 && taker.waiting.size === 0) forget(takers, taker)
    if (takers.size === 0) forget(this.#workspaces, taker.workspace)
    if (line.used === 0 && line.promised === 0 && line.waiting.size === 0) forget(this.#lines, line)
  }
}

/** The taker of the lines of calls that come in. */
export const INBOUND = "inbound"

const share = (taker: Taker) => taker.held + taker.promised

const forget = <A extends { readonly key: string }>(known: Map<string, A>, one: A) => {
  if (known.get(one.key) === one) known.delete(one.key)
}
