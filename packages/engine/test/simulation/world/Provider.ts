import type { CallEvent, CallNews } from "@trunkline/telephony"
import type { CallEnd } from "../history/History.js"
import { type CalleeOutcome, type Conditions, type DialOutcome, type EventOutcome, pickOutcome } from "./Conditions.js"
import type { SeededRandom } from "./SeededRandom.js"
import type { World } from "./World.js"

/** Conversation with a callee. */
export interface Talk {
  readonly seconds: number
  /** True when the callee hangs up. */
  readonly calleeHangsUp: boolean
  readonly done: boolean
  /** Minutes after which the callee asks to be called again. */
  readonly rescheduleIn: number | null
  readonly business: boolean
  readonly fault: boolean
}

/** A call at the provider. */
export interface ProviderCall {
  readonly id: string
  readonly attempt: string
  readonly connection: string
  readonly createdAt: number
  /** Time from which lookups by attempt find the call. */
  readonly visibleAt: number
  readonly talk: Talk
  state: "ringing" | "connected" | "over"
  end: CallEnd | null
  readonly listeners: Set<() => void>
}

/** A request to dial. */
export interface DialRequest {
  readonly attempt: string
  readonly number: string
  readonly from: string
  readonly connection: string
}

/** Response to a dial request. */
export type DialResponse =
  | { readonly _tag: "Accepted"; readonly call: ProviderCall }
  | { readonly _tag: "Rejected" }
  | { readonly _tag: "Error" }

/** Idempotency key with its call, and the duplicate requests that wait for it. */
interface KnownKey {
  readonly since: number
  readonly waiting: Array<(call: ProviderCall) => void>
  call: ProviderCall | null
}

/** Timeout of dial requests, in milliseconds. */
const requestTimeout = 10_000

/** Telephony provider that survives crashes of the engine, stores idempotency keys, and records its own events. */
export class Provider {
  readonly #random: SeededRandom
  readonly #calls = new Map<string, ProviderCall>()
  readonly #keys = new Map<string, KnownKey>()
  #made = 0

  constructor(
    readonly world: World,
    readonly conditions: Conditions,
    readonly push: (event: CallEvent) => void
  ) {
    this.#random = world.random("provider")
  }

  /** Requests a dial. The response may never arrive. */
  dial(request: DialRequest, respond: (response: DialResponse) => void): void {
    const { world } = this
    const life = world.life
    world.add({ kind: "requested", ...request })
    const reply = (response: DialResponse, delay: number) =>
      world.after(delay, () => {
        if (life === null || life.isOver) return
        const result = response._tag === "Accepted" ? "accepted" : response._tag === "Rejected" ? "rejected" : "error"
        world.add(
          { kind: "responded", attempt: request.attempt, response: delay >= requestTimeout ? "late" : result },
          life.number
        )
        respond(response)
      })
    const entry = this.#known(request.attempt)
    if (entry !== undefined) {
      const send = (call: ProviderCall) => reply({ _tag: "Accepted", call }, this.#latency())
      if (entry.call === null) entry.waiting.push(send)
      else send(entry.call)
      return
    }
    const outcome = pickOutcome<DialOutcome>(this.#random, this.conditions.dials, "accepted")
    const latency = this.#latency()
    switch (outcome) {
      case "accepted":
        return this.#take(request, latency / 2, (call) => reply({ _tag: "Accepted", call }, latency / 2))
      case "rejected":
        return reply({ _tag: "Rejected" }, latency)
      case "errorAccepted":
        return this.#take(request, latency / 2, () => reply({ _tag: "Error" }, latency / 2))
      case "errorLost":
        return reply({ _tag: "Error" }, latency)
      case "lostAccepted":
        return this.#take(request, latency, () => {})
      case "lost":
        return
      case "late": {
        const late = requestTimeout +
          this.#random.between(1, Math.max(1, this.conditions.settle * 500 - requestTimeout))
        return this.#take(request, late, (call) => reply({ _tag: "Accepted", call }, requestTimeout))
      }
    }
  }

  /** Finds a call by its id. */
  call(id: string): ProviderCall | undefined {
    return this.#calls.get(id)
  }

  /** Finds the call of an attempt, if it is visible by now. */
  callOf(attempt: string): ProviderCall | undefined {
    return [...this.#calls.values()].find((call) => call.attempt === attempt && call.visibleAt <= this.world.elapsed)
  }

  /** Finds the connected call of an attempt. */
  talking(attempt: string): ProviderCall | undefined {
    return [...this.#calls.values()].find((call) => call.attempt === attempt && call.state === "connected")
  }

  /** True, at random, when lookups fail. */
  get isUnreachable(): boolean {
    return this.#random.chance(this.conditions.lookupFails)
  }

  /** Calls in progress on a connection. */
  live(connection: string): ReadonlyArray<ProviderCall> {
    return [...this.#calls.values()].filter((call) => call.connection === connection && call.state !== "over")
  }

  /** Ends a call; does nothing when it has ended. */
  hangUp(call: ProviderCall, how: CallEnd): void {
    if (call.state === "over") return
    call.state = "over"
    call.end = how
    this.world.add({ kind: "hung up", attempt: call.attempt, call: call.id, how })
    this.#notify(call, { _tag: "Ended", status: statusOf(how), reason: null })
    call.listeners.forEach((listener) => listener())
  }

  /** Drops all connected calls after a while, because the crashed engine no longer sends audio. */
  dropConnectedCalls(): void {
    for (const call of this.#calls.values()) {
      if (call.state === "connected") {
        this.world.after(this.#random.between(1, 60) * 1000, () => this.hangUp(call, "dropped"))
      }
    }
  }

  #known(attempt: string) {
    const entry = this.#keys.get(attempt)
    return this.conditions.dedupe === "key" && entry !== undefined &&
        this.world.elapsed - entry.since < this.conditions.keyTtl * 1000
      ? entry
      : undefined
  }

  #latency(): number {
    return this.#random.pick([20, 100, 100, 400, 2_500])
  }

  #take(request: DialRequest, delay: number, then: (call: ProviderCall) => void): void {
    const key: KnownKey = { since: this.world.elapsed, waiting: [], call: null }
    this.#keys.set(request.attempt, key)
    this.world.after(delay, () => {
      const call = this.#create(request)
      key.call = call
      then(call)
      key.waiting.forEach((waiting) => waiting(call))
    })
  }

  #create({ attempt, connection }: DialRequest): ProviderCall {
    const random = this.#random
    this.#made += 1
    const now = this.world.elapsed
    const call: ProviderCall = {
      id: `call-${this.#made}`,
      attempt,
      connection,
      createdAt: now,
      visibleAt: now + random.between(0, this.conditions.settle * 400),
      talk: talkOf(random),
      state: "ringing",
      end: null,
      listeners: new Set()
    }
    this.#calls.set(call.id, call)
    this.world.add({ kind: "dialled", attempt, call: call.id, connection })
    this.#notify(call, { _tag: "Ringing" })
    this.#ring(call, pickOutcome<CalleeOutcome>(random, this.conditions.callees, "answers"))
    return call
  }

  #ring(call: ProviderCall, outcome: CalleeOutcome): void {
    const seconds = outcome === "noAnswer" ? 45 : this.#random.between(1, 15)
    this.world.after(seconds * 1000, () => {
      if (call.state !== "ringing") return
      if (outcome !== "answers") return this.hangUp(call, outcome === "noAnswer" ? "no_answer" : outcome)
      call.state = "connected"
      this.world.add({ kind: "answered", attempt: call.attempt, call: call.id })
      this.#notify(call, { _tag: "Answered" })
      call.listeners.forEach((listener) => listener())
      if (call.talk.calleeHangsUp) this.world.after(call.talk.seconds * 1000, () => this.hangUp(call, "talked"))
      // A callee who hears nothing hangs up after a while.
      this.world.after(600_000, () => this.hangUp(call, "dropped"))
    })
  }

  #notify(call: ProviderCall, news: CallNews): void {
    if (!this.conditions.pushes) return
    const event: CallEvent = { event_id: `${call.id} ${news._tag}`, provider_call_id: call.id, attempt_id: null, news }
    switch (pickOutcome<EventOutcome>(this.#random, this.conditions.events, "now")) {
      case "now":
        return this.push(event)
      case "late":
        return this.world.after(this.#random.between(1, 40) * 1000, () => this.push(event))
      case "twice":
        this.push(event)
        return this.world.after(this.#random.between(0, 20) * 1000, () => this.push(event))
      case "never":
        break
    }
  }
}

const talkOf = (random: SeededRandom): Talk => ({
  seconds: random.between(3, 90),
  calleeHangsUp: random.chance(0.5),
  done: random.chance(0.6),
  rescheduleIn: random.chance(0.15) ? random.between(1, 90) : null,
  business: random.chance(0.15),
  fault: random.chance(0.1)
})

/** Status that the provider reports for the end of a call. */
export const statusOf = (how: CallEnd): "busy" | "no_answer" | "failed" | null => {
  switch (how) {
    case "busy":
    case "no_answer":
    case "failed":
      return how
    case "cancelled":
      return "failed"
    default:
      return null
  }
}
