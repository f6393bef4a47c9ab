/** Options of the model. All amounts are in micro-credits. */
interface CreditsModelOptions {
  readonly hasLimit: boolean
  /** Total budget per key; other keys are unlimited. */
  readonly budgets: Readonly<Record<string, number>>
  /** Lifetime of a reservation in milliseconds. */
  readonly reservationTime: number
}

/** A request with its key and cost. Times are epoch milliseconds. */
interface ModelRequest {
  readonly request: string
  readonly key: string
  readonly amount: number
  readonly now: number
}

/** Result of a reservation: done, or the limit that does not cover it. */
type ModelResult = "done" | "budget" | "credits"

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

/** Reference model of one account's credits, which `Credits` is tested against. */
export class CreditsModel {
  readonly #options: CreditsModelOptions
  readonly #granted = new Map<string, number>()
  readonly #held = new Map<string, Held>()
  readonly #settled = new Map<string, Settled>()

  constructor(options: CreditsModelOptions) {
    this.#options = options
  }

  /** Granted minus charged credits. */
  get balance(): number {
    return sum([...this.#granted.values()]) - this.charged
  }

  /** Amount charged. */
  get charged(): number {
    return sum([...this.#settled.values()].map(({ charged }) => charged))
  }

  /** Total cost of requests, charged or not. */
  get cost(): number {
    return sum([...this.#settled.values()].map(({ cost }) => cost))
  }

  /** Number of settled requests. */
  get settled(): number {
    return this.#settled.size
  }

  /** Reserved amount at a time. */
  reserved(now: number): number {
    return sum(this.#open(now).map(({ amount }) => amount))
  }

  /** Adds an amount once per reference; returns whether it was added. */
  grant(reference: string, amount: number): boolean {
    if (this.#granted.has(reference)) return false
    this.#granted.set(reference, amount)
    return true
  }

  /** Reserves an amount once per request. */
  reserve({ amount, key, now, request }: ModelRequest): ModelResult {
    const { budgets, hasLimit, reservationTime } = this.#options
    const existing = this.#held.get(request)
    if (amount === 0 || (existing !== undefined && existing.until > now)) return "done"
    const budget = budgets[key]
    if (budget !== undefined && this.#spent(key, now) + amount > budget) return "budget"
    if (hasLimit && this.reserved(now) + amount > this.balance) return "credits"
    if (hasLimit || budget !== undefined) this.#held.set(request, { key, amount, until: now + reservationTime })
    return "done"
  }

  /** Charges the available part of an amount once per request and releases the reservation. */
  settle({ amount: cost, key, now, request }: ModelRequest): void {
    this.#held.delete(request)
    if (this.#settled.has(request)) return
    const there = this.balance - this.reserved(now)
    this.#settled.set(request, { key, cost, charged: this.#options.hasLimit ? Math.min(cost, there) : 0 })
  }

  /** Releases the reservation of a request. */
  release(request: string): void {
    this.#held.delete(request)
  }

  #open(now: number): ReadonlyArray<Held> {
    return [...this.#held.values()].filter(({ until }) => until > now)
  }

  #spent(key: string, now: number): number {
    const ofKey = <A extends { readonly key: string }>(rows: ReadonlyArray<A>) => rows.filter((one) => one.key === key)
    const amounts = ofKey(this.#open(now)).map(({ amount }) => amount)
    return sum([...amounts, ...ofKey([...this.#settled.values()]).map(({ cost }) => cost)])
  }
}
