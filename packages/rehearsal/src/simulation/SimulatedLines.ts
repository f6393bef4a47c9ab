import { type DialLine, type LineBlocker, lineBlocker } from "@trunkline/campaigns"
import type { ConnectionId } from "@trunkline/kernel"
import {
  type ClaimantState,
  type ConnectionState,
  LineBreaker,
  makeSlotAllocator,
  reservationTime,
  type SlotAllocator
} from "@trunkline/telephony"
import { Duration, Effect } from "effect"
import { type Timeline, TimelineEvent } from "./Timeline.js"

/** A line of the campaign, by its position in the list. */
export interface SimulatedLine {
  readonly index: number
  readonly line: DialLine
  readonly breaker: LineBreaker
}

/** Settings of simulated lines. */
export interface SimulatedLinesOptions {
  readonly timeline: Timeline
  readonly lines: ReadonlyArray<DialLine>
  readonly maxConcurrentCalls: number
  /** Concurrent calls per connection, by connection id; absent ones are unlimited. */
  readonly channels: Readonly<Record<string, number>>
  /** Runs when no slot of a healthy line is free. */
  readonly onBusy: () => void
}

const reservationMillis = Duration.toMillis(reservationTime)

/** Lines with the slots and the circuit breakers of the engine; the campaign is the only one that uses them. */
export class SimulatedLines extends TimelineEvent {
  readonly lines: ReadonlyArray<SimulatedLine>
  readonly #options: SimulatedLinesOptions
  readonly #allocator: SlotAllocator
  #busy: ReadonlyArray<SimulatedLine> = []
  #leaveQueues: ReadonlyArray<() => void> = []
  /** The reservations that expire at the next event; null when none is scheduled. */
  #expiring: ReadonlyArray<Parameters<SlotAllocator["expire"]>[0]> | null = null

  /** Lines that are free and healthy. */
  constructor(options: SimulatedLinesOptions) {
    super()
    const breakers = new Map<ConnectionId, LineBreaker>()
    this.#options = options
    this.#allocator = makeSlotAllocator({ maxConcurrentCalls: options.maxConcurrentCalls })
    this.lines = options.lines.map((line, index) => {
      const breaker = breakers.get(line.connection_id) ?? new LineBreaker()
      breakers.set(line.connection_id, breaker)
      return { index, line, breaker }
    })
  }

  /** Reserves the first of these lines that is healthy and free. */
  take(lines: ReadonlyArray<SimulatedLine>): SimulatedLine | LineBlocker {
    const { now } = this.#options.timeline
    const busy: Array<SimulatedLine> = []
    let until = Infinity
    for (const line of lines) {
      const { paused_until } = line.breaker.state(now)
      if (paused_until !== null && paused_until > now) {
        until = Math.min(until, paused_until)
        continue
      }
      if (!this.#allocator.tryTake(this.#claimant(), this.#connection(line))) {
        this.#options.onBusy()
        busy.push(line)
        continue
      }
      const permit = line.breaker.permit(now)
      if (permit._tag !== "Paused") return line
      this.release(line)
      until = Math.min(until, permit.until)
    }
    this.#busy = busy
    return lineBlocker(busy.map(() => ({ turn: Effect.never, limit: "" })), until)
  }

  /** Returns a line after its call. */
  release(line: SimulatedLine): void {
    this.#allocator.release(this.#claimant(), this.#connection(line))
    if (this.#expiring === null) this.#expireLater()
  }

  /** Calls back once one of the lines that were busy at the last `take` may be free. */
  awaitFree(onFree: () => void): void {
    this.#leaveQueues = this.#busy.map((line) => {
      const [claimant, connection] = [this.#claimant(), this.#connection(line)]
      if (this.#allocator.exhaustedBy(claimant, connection) !== null) {
        return this.#allocator.wait(claimant, connection, { takesAtOnce: false, notify: onFree })
      }
      onFree()
      return () => {}
    })
  }

  /** Ends the wait for a free line. */
  leave(): void {
    for (const leave of this.#leaveQueues) leave()
    this.#leaveQueues = []
  }

  /** Unused reservations expire. */
  happen(): void {
    for (const reservation of this.#expiring ?? []) this.#allocator.expire(reservation)
    this.#expiring = null
    this.#expireLater()
  }

  #expireLater(): void {
    const { reservations } = this.#allocator
    if (reservations.size === 0) return
    this.#expiring = Array.from(reservations)
    this.#options.timeline.schedule(this, this.#options.timeline.now + reservationMillis)
  }

  #claimant(): ClaimantState {
    return this.#allocator.claimant("rehearsal", "campaign")
  }

  #connection({ line: { connection_id } }: SimulatedLine): ConnectionState {
    return this.#allocator.connection(connection_id, this.#options.channels[connection_id] ?? Infinity)
  }
}
