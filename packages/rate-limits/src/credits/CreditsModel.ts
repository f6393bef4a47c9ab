/** What a model account is opened with. All amounts are in micro-credits. */
export interface CreditsModelOptions {
  readonly hasLimit: boolean
  /** What each key may spend in all; a key that is not in it may spend anything. */
  readonly budgets: Readonly<Record<string, number>>
  /** How long something is set aside, in milliseconds. */
  readonly reservationTime: number
}

/** A request, the key it was sent with, and what it costs. Moments are epoch milliseconds. */
export interface ModelRequest {
  readonly request: string
  readonly key: string
  readonly amount: number
  readonly now: number
}

/** What comes of reserving: it is covered, or what does not cover it. */
export type ModelAnswer = "done" | "budget" | "credits"

interface Held {
  readonly key: string
  readonly amount: number
  readonly until: number
}

interface Settled {
  readonly key: string
  readonly cost: number
  readonly charged: number
}

const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((total, amount) => total + amount, 0)

/** The credits of one account in the plainest words: what `Credits` is compared with. */
export class CreditsModel {
  readonly #options: CreditsModelOptions
  readonly #granted = new Map<string, number>()
  readonly #held = new Map<string, Held>()
  readonly #settled = new Map<string, Settled>()

  constructor(options: CreditsModelOptions) {
    this.#options = options
  }

  /** What was granted and not taken. */
  get balance(): number {
    return sum([...this.#granted.values()]) - this.charged
  }

  /** What was taken for requests. */
  get charged(): number {
    return sum([...this.#settled.values()].map(({ charged }) => charged))
  }

  /** What requests did cost, whether it was taken or not. */
  get cost(): number {
    return sum([...this.#settled.values()].map(({ cost }) => cost))
  }

  /** How many requests were settled. */
  get settled(): number {
    return this.#settled.size
  }

  /** What is set aside at a moment. */
  reserved(now: number): number {
    return sum(this.#open(now).map(({ amount }) => amount))
  }

  /** Adds an amount, once per reference; says whether it did. */
  grant(reference: string, amount: number): boolean {
    if (this.#granted.has(reference)) return false
    this.#granted.set(reference, amount)
    return true
  }

  /** Sets an amount aside, once per request. */
  reserve({ amount, key, now, request }: ModelRequest): ModelAnswer {
    const { budgets, hasLimit, reservationTime } = this.#options
    const held = this.#held.get(request)
    if (amount === 0 || (held !== undefined && held.until > now)) return "done"
    const budget = budgets[key]
    if (budget !== undefined && this.#spent(key, now) + amount > budget) return "budget"
    if (hasLimit && this.reserved(now) + amount > this.balance) return "credits"
    if (hasLimit || budget !== undefined) this.#held.set(request, { key, amount, until: now + reservationTime })
    return "done"
  }

  /** Takes what there is of an amount, once per request, and frees what was set aside for it. */
  settle({ amount: cost, key, now, request }: ModelRequest): void {
    this.#held.delete(request)
    if (this.#settled.has(request)) return
    const there = this.balance - this.reserved(now)
    this.#settled.set(request, { key, cost, charged: this.#options.hasLimit ? Math.min(cost, there) : 0 })
  }

  /** Frees what was set aside for a request. */
  release(request: string): void {
    this.#held.delete(request)
  }

  #open(now: number): ReadonlyArray<Held> {
    return [...this.#held.values()].filter(({ until }) => until > now)
  }

  #spent(key: string, now: number): number {
    const ofKey = <A extends { readonly key: string }>(all: ReadonlyArray<A>) => all.filter((one) => one.key === key)
    const held = ofKey(this.#open(now)).map(({ amount }) => amount)
    return sum([...held, ...ofKey([...this.#settled.values()]).map(({ cost }) => cost)])
  }
}
