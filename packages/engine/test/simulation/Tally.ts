import type { Checked } from "./Seeds.js"

/** What many runs met with: a simulation in which nothing happens proves nothing. */
export class Tally {
  readonly #met = new Map<string, number>()
  #runs = 0
  #real = 0

  /** Counts a run. */
  add({ run }: Checked): void {
    this.#runs += 1
    this.#real += run.happenings.at(-1)?.real ?? 0
    for (const [name, count] of run.passed) this.#count(`passed ${name}`, count)
    for (const happening of run.happenings) {
      switch (happening.kind) {
        case "crashed":
          this.#count(`crashed at ${happening.where.replace(/ \d+$/, "")}`)
          break
        case "ended":
          this.#count(`ended ${happening.connectivity ?? happening.reason?.split(":")[0] ?? "silently"}`)
          this.#count(`next ${happening.next}`)
          break
        case "told":
          this.#count(`told ${happening.answer}`)
          break
        case "hung up":
          this.#count(`hung up ${happening.how}`)
          break
        case "campaign":
          this.#count(`campaign ${happening.campaign.status}`)
          break
        default:
          this.#count(happening.kind)
      }
    }
  }

  /** What was never met, of these. */
  missing(names: ReadonlyArray<string>): ReadonlyArray<string> {
    return names.filter((name) => !this.#met.has(name))
  }

  /** A few figures, for whoever watches. */
  get text(): string {
    const hours = Math.round(this.#real / 3_600_000)
    const counts = [...this.#met].sort(([a], [b]) => a < b ? -1 : 1).map(([name, count]) => `  ${name}: ${count}`)
    return [`${this.#runs} runs, ${hours} hours of campaigns`, ...counts].join("\n")
  }

  #count(name: string, by = 1): void {
    this.#met.set(name, (this.#met.get(name) ?? 0) + by)
  }
}

/** What a simulation must meet with, beside the fault points. */
export const everyKind: ReadonlyArray<string> = [
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
  "told taken",
  "told refused",
  "told broken",
  "told late",
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
