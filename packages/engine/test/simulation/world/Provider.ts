import type { CallEvent, CallNews } from "@trunkline/telephony"
import type { CallEnd } from "../history/History.js"
import type { Dice } from "./Dice.js"
import { type DialFate, type EventFate, fateOf, type PersonFate, type Weather } from "./Weather.js"
import type { World } from "./World.js"

/** What somebody who picks up says to the agent, and how long that takes, in seconds. */
export interface Talk {
  readonly seconds: number
  /** Whether it is the other side that hangs up. */
  readonly theyHangUp: boolean
  readonly done: boolean
  /** In how many minutes they want to be called again. */
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
  /** From when on it can be found by its attempt. */
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

/** What the provider answers to a request, when it does. */
export type DialAnswer =
  | { readonly _tag: "Taken"; readonly call: ProviderCall }
  | { readonly _tag: "Refused" }
  | { readonly _tag: "Broken" }

/** A key that the provider remembers: what came of it, and who else wants to know. */
interface RememberedKey {
  readonly since: number
  readonly waiting: Array<(call: ProviderCall) => void>
  call: ProviderCall | null
}

/** How long a request is waited for, in milliseconds, by whoever sends it. */
const PATIENCE = 10_000

/**
 * A phone company: it outlives the engine, remembers keys for as long as it says, and writes its own journal. Somebody
 * in its network picks up or does not.
 */
export class Provider {
  readonly #dice: Dice
  readonly #calls = new Map<string, ProviderCall>()
  readonly #keys = new Map<string, RememberedKey>()
  #made = 0

  constructor(
    readonly world: World,
    readonly weather: Weather,
    readonly push: (event: CallEvent) => void
  ) {
    this.#dice = world.dice("provider")
  }

  /** Asks it to dial; the answer may never come. */
  dial(request: DialRequest, answer: (answer: DialAnswer) => void): void {
    const { world } = this
    const life = world.life
    world.add({ kind: "asked", ...request })
    const reply = (said: DialAnswer, delay: number) =>
      world.after(delay, () => {
        if (life === null || life.isOver) return
        const told = said._tag === "Taken" ? "taken" : said._tag === "Refused" ? "refused" : "broken"
        world.add({ kind: "told", attempt: request.attempt, answer: delay >= PATIENCE ? "late" : told }, life.number)
        answer(said)
      })
    const known = this.#known(request.attempt)
    if (known !== undefined) {
      const send = (call: ProviderCall) => reply({ _tag: "Taken", call }, this.#latency())
      if (known.call === null) known.waiting.push(send)
      else send(known.call)
      return
    }
    const fate = fateOf<DialFate>(this.#dice, this.weather.dials, "taken")
    const latency = this.#latency()
    switch (fate) {
      case "taken":
        return this.#take(request, latency / 2, (call) => reply({ _tag: "Taken", call }, latency / 2))
      case "refused":
        return reply({ _tag: "Refused" }, latency)
      case "brokenTaken":
        return this.#take(request, latency / 2, () => reply({ _tag: "Broken" }, latency / 2))
      case "brokenLost":
        return reply({ _tag: "Broken" }, latency)
      case "lostTaken":
        return this.#take(request, latency, () => {})
      case "lost":
        return
      case "late": {
        const late = PATIENCE + this.#dice.between(1, Math.max(1, this.weather.settle * 500 - PATIENCE))
        return this.#take(request, late, (call) => reply({ _tag: "Taken", call }, PATIENCE))
      }
    }
  }

  /** The call of this id. */
  call(id: string): ProviderCall | undefined {
    return this.#calls.get(id)
  }

  /** The call of an attempt, where it can be found by now. */
  callOf(attempt: string): ProviderCall | undefined {
    return [...this.#calls.values()].find((call) => call.attempt === attempt && call.visibleAt <= this.world.elapsed)
  }

  /** The call of an attempt that somebody talks on. */
  talking(attempt: string): ProviderCall | undefined {
    return [...this.#calls.values()].find((call) => call.attempt === attempt && call.state === "connected")
  }

  /** Whether it cannot be asked just now. */
  get isDumb(): boolean {
    return this.#dice.often(this.weather.lookupFails)
  }

  /** The calls that go on over a connection. */
  live(connection: string): ReadonlyArray<ProviderCall> {
    return [...this.#calls.values()].filter((call) => call.connection === connection && call.state !== "over")
  }

  /** Ends a call, whoever asks for that; harmless when it is over. */
  hangUp(call: ProviderCall, how: CallEnd): void {
    if (call.state === "over") return
    call.state = "over"
    call.end = how
    this.world.add({ kind: "hung up", attempt: call.attempt, call: call.id, how })
    this.#tell(call, { _tag: "Ended", status: statusOf(how), reason: null })
    call.listeners.forEach((listener) => listener())
  }

  /** The voice of whoever held its conversations is gone: they break off after a while. */
  lostOurVoice(): void {
    for (const call of this.#calls.values()) {
      if (call.state === "connected") {
        this.world.after(this.#dice.between(1, 60) * 1000, () => this.hangUp(call, "dropped"))
      }
    }
  }

  #known(attempt: string) {
    const known = this.#keys.get(attempt)
    return this.weather.dedupe === "key" && known !== undefined &&
        this.world.elapsed - known.since < this.weather.keyTtl * 1000
      ? known
      : undefined
  }

  #latency(): number {
    return this.#dice.of([20, 100, 100, 400, 2_500])
  }

  #take(request: DialRequest, delay: number, then: (call: ProviderCall) => void): void {
    const key: RememberedKey = { since: this.world.elapsed, waiting: [], call: null }
    this.#keys.set(request.attempt, key)
    this.world.after(delay, () => {
      const call = this.#create(request)
      key.call = call
      then(call)
      key.waiting.forEach((waiting) => waiting(call))
    })
  }

  #create({ attempt, connection }: DialRequest): ProviderCall {
    const dice = this.#dice
    this.#made += 1
    const now = this.world.elapsed
    const call: ProviderCall = {
      id: `call-${this.#made}`,
      attempt,
      connection,
      createdAt: now,
      visibleAt: now + dice.between(0, this.weather.settle * 400),
      talk: talkOf(dice),
      state: "ringing",
      end: null,
      listeners: new Set()
    }
    this.#calls.set(call.id, call)
    this.world.add({ kind: "dialled", attempt, call: call.id, connection })
    this.#tell(call, { _tag: "Ringing" })
    this.#ring(call, fateOf<PersonFate>(dice, this.weather.people, "answers"))
    return call
  }

  #ring(call: ProviderCall, fate: PersonFate): void {
    const seconds = fate === "noAnswer" ? 45 : this.#dice.between(1, 15)
    this.world.after(seconds * 1000, () => {
      if (call.state !== "ringing") return
      if (fate !== "answers") return this.hangUp(call, fate === "noAnswer" ? "no_answer" : fate)
      call.state = "connected"
      this.world.add({ kind: "answered", attempt: call.attempt, call: call.id })
      this.#tell(call, { _tag: "Answered" })
      call.listeners.forEach((listener) => listener())
      if (call.talk.theyHangUp) this.world.after(call.talk.seconds * 1000, () => this.hangUp(call, "talked"))
      // Whoever picked up and hears nothing hangs up after a while.
      this.world.after(600_000, () => this.hangUp(call, "dropped"))
    })
  }

  #tell(call: ProviderCall, news: CallNews): void {
    if (!this.weather.pushes) return
    const event: CallEvent = { event_id: `${call.id} ${news._tag}`, provider_call_id: call.id, attempt_id: null, news }
    switch (fateOf<EventFate>(this.#dice, this.weather.events, "now")) {
      case "now":
        return this.push(event)
      case "late":
        return this.world.after(this.#dice.between(1, 40) * 1000, () => this.push(event))
      case "twice":
        this.push(event)
        return this.world.after(this.#dice.between(0, 20) * 1000, () => this.push(event))
      case "never":
        break
    }
  }
}

const talkOf = (dice: Dice): Talk => ({
  seconds: dice.between(3, 90),
  theyHangUp: dice.often(0.5),
  done: dice.often(0.6),
  rescheduleIn: dice.often(0.15) ? dice.between(1, 90) : null,
  business: dice.often(0.15),
  fault: dice.often(0.1)
})

/** How a provider calls the end of a call. */
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
