import type { AttemptId } from "@trunkline/kernel"
import type { SimulatedCall } from "./SimulatedCall.js"

/** Calls that are older than the newest by more than this are forgotten, in milliseconds of business time. */
const REMEMBERED = 24 * 3600 * 1000

/** The calls of the simulated network of the last day. */
export class CallLog {
  readonly #calls = new Map<string, SimulatedCall>()
  readonly #attempts = new Map<AttemptId, ReadonlyArray<SimulatedCall>>()
  #inbound = 0

  /** The id of the next call of an attempt, or of somebody who calls in. */
  nextId(attempt: AttemptId | null): string {
    if (attempt === null) return `sim-in-${++this.#inbound}`
    const before = this.ofAttempt(attempt).length
    return before === 0 ? `sim-${attempt}` : `sim-${attempt}-${before + 1}`
  }

  /** Adds a call. */
  add(call: SimulatedCall): void {
    const { attempt_id, provider_call_id, taken_at } = call.setup
    for (const old of this.#calls.values()) {
      if (old.setup.taken_at >= taken_at - REMEMBERED) break
      this.#calls.delete(old.setup.provider_call_id)
      if (old.setup.attempt_id !== null) this.#attempts.delete(old.setup.attempt_id)
    }
    this.#calls.set(provider_call_id, call)
    if (attempt_id !== null) this.#attempts.set(attempt_id, [...this.ofAttempt(attempt_id), call])
  }

  /** The call of this id. */
  find(provider_call_id: string): SimulatedCall | undefined {
    return this.#calls.get(provider_call_id)
  }

  /** The calls of an attempt, oldest first. */
  ofAttempt(attempt: AttemptId): ReadonlyArray<SimulatedCall> {
    return this.#attempts.get(attempt) ?? []
  }

  /** All of them, oldest first. */
  recent(): ReadonlyArray<SimulatedCall> {
    return Array.from(this.#calls.values())
  }
}
