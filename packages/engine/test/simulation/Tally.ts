import { faultPoints } from "./RunSeed.js"
import type { Run } from "./world/Simulation.js"

/** Counts the events of a run by name, such as `passed claim.kept` or `ended busy`. */
const eventsOf = (run: Run): ReadonlyMap<string, number> => {
  const events = new Map<string, number>()
  const count = (name: string, by = 1) => events.set(name, (events.get(name) ?? 0) + by)
  for (const [name, times] of run.passed) count(`passed ${name}`, times)
  for (const event of run.events) {
    switch (event.kind) {
      case "crashed":
        count(`crashed at ${event.where.replace(/ \d+$/, "")}`)
        break
      case "ended":
        count(`ended ${event.connectivity ?? event.reason?.split(":")[0] ?? "silently"}`)
        count(`next ${event.next}`)
        break
      case "responded":
        count(`responded ${event.response}`)
        break
      case "hung up":
        count(`hung up ${event.how}`)
        break
      case "campaign":
        count(`campaign ${event.campaign.status}`)
        break
      default:
        count(event.kind)
    }
  }
  return events
}

/** Events that a set of seeds must cover: a crash at each fault point, and each kind of outcome. */
const required: ReadonlyArray<string> = [
  ...faultPoints.flatMap((point) => [`passed ${point}`, `crashed at ${point}`]),
  "ended connected",
  "ended busy",
  "ended no_answer",
  "ended failed",
  "ended internal",
  "ended unknown",
  "ended blocked_number",
  "next null",
  "next retry",
  "next reschedule",
  "next business_retry",
  "next short_duration_retry",
  "next provider_error_retry",
  "next internal_error_retry",
  "responded accepted",
  "responded rejected",
  "responded error",
  "responded late",
  "hung up talked",
  "hung up dropped",
  "hung up cancelled",
  "campaign scheduled",
  "campaign active",
  "campaign paused",
  "campaign ended",
  "campaign cancelled",
  "crashed at write",
  "crashed at commit",
  "crashed at some moment",
  "withdrawn",
  "promised",
  "stopped",
  "blocked",
  "unblocked",
  "clock"
]

/** Counts of some runs, as plain data that processes can exchange. */
export interface TallyJson {
  readonly runs: number
  readonly millis: number
  readonly events: ReadonlyArray<readonly [name: string, count: number]>
}

/** Measures the coverage of runs, because a simulation in which nothing happens proves nothing. */
export class Tally {
  readonly #events = new Map<string, number>()
  #runs = 0
  #millis = 0

  /** Adds a run; true when it covers a required event for the first time. */
  add(run: Run): boolean {
    const events = eventsOf(run)
    const before = this.missing.length
    this.merge({ runs: 1, millis: run.events.at(-1)?.real ?? 0, events: [...events] })
    return this.missing.length < before
  }

  /** Adds the counts of other runs. */
  merge({ events, millis, runs }: TallyJson): void {
    this.#runs += runs
    this.#millis += millis
    for (const [name, count] of events) this.#events.set(name, (this.#events.get(name) ?? 0) + count)
  }

  /** Required events that no run covers. */
  get missing(): ReadonlyArray<string> {
    return required.filter((name) => !this.#events.has(name))
  }

  get json(): TallyJson {
    return { runs: this.#runs, millis: this.#millis, events: [...this.#events] }
  }

  /** The counts as lines for a terminal. */
  get text(): string {
    const hours = Math.round(this.#millis / 3_600_000)
    const counts = [...this.#events].sort(([a], [b]) => a < b ? -1 : 1).map(([name, count]) => `  ${name}: ${count}`)
    return [`${this.#runs} runs, ${hours} hours of campaigns`, ...counts].join("\n")
  }
}
