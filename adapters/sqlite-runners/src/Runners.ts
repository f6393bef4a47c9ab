import { Data, Duration, Effect } from "effect"
import type { Ending } from "./ChildProcess.js"
import { failureOf } from "./FailureOf.js"
import { makeLanes } from "./Lanes.js"
import { isFault, type RunAnswer, type RunRequest, type RunResult } from "./Messages.js"
import type { ProcessEntry } from "./ProcessEntry.js"
import { type RunFailure, RunnersBusy, RunStopped } from "./RunFailure.js"
import type { RunnerLimits } from "./RunnerOptions.js"
import { type Runner, startRunner } from "./StartRunner.js"

/** A child process ended by itself, and not for want of memory: a fault of this software. */
export class RunnerBroke extends Data.TaggedError("RunnerBroke")<{ readonly code: number | null }> {
  override get message() {
    return `A child process ended with code ${this.code}.`
  }
}

/** How a run ends. */
export type Settled = Effect.Effect<RunResult, RunFailure>

/** A request and where its outcome goes. */
export interface Job {
  readonly lane: string
  readonly request: RunRequest
  /** Called once at most. */
  readonly settle: (outcome: Settled) => void
}

interface Waiting extends Job {
  impatience?: NodeJS.Timeout
}

interface Place {
  state: "starting" | "idle" | "running" | "ending"
  readonly runner: Runner
  /** The file that it has open, as far as one knows. */
  file?: string
  job?: Waiting
  timer?: NodeJS.Timeout
}

/** How long a child may take to start; it takes a tenth of a second on a machine that is not busy. */
const startMillis = 30_000

/** Children that end one after the other before they can be asked: then they are not able to. */
const mostFailedStarts = 3

/**
 * Children that run statements: as many as there is work for, and always one more than that, so that nobody waits for a
 * new one when another is killed.
 */
export class Runners {
  readonly #lanes = makeLanes<Waiting>()
  readonly #places = new Set<Place>()
  /** How many statements of a lane run. */
  readonly #running = new Map<string, number>()
  readonly #limits: RunnerLimits
  readonly #entry: ProcessEntry
  #failedStarts = 0
  #wasEverReady = false
  #isClosed = false

  constructor(entry: ProcessEntry, limits: RunnerLimits) {
    this.#entry = entry
    this.#limits = limits
  }

  /** Runs a request when it is its turn; the result calls it off, and tells when nothing of it is left. */
  submit(job: Job): () => Promise<void> {
    const waiting: Waiting = { ...job }
    const { lane, settle } = waiting
    if (this.#isClosed) settle(Effect.interrupt)
    else {
      this.#lanes.add(lane, waiting)
      this.#beImpatient(waiting)
      this.#dispatch()
      const { waiting: most, waitingPerLane } = this.#limits
      if (this.#lanes.size() > most || this.#lanes.size(lane) > waitingPerLane) this.#refuse(waiting)
    }
    return () => this.#cancel(waiting)
  }

  /** Kills every child, and waits until they are gone. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#settleWaiting(Effect.interrupt)
    const places = [...this.#places]
    for (const place of places) this.#end(place, Effect.interrupt)
    await Promise.all(places.map(({ runner }) => runner.cleared))
  }

  #in(...states: ReadonlyArray<Place["state"]>): ReadonlyArray<Place> {
    return [...this.#places].filter(({ state }) => states.includes(state))
  }

  #beImpatient(job: Waiting): void {
    job.impatience = setTimeout(() => {
      // Nobody is ahead as long as the very first child starts.
      if (this.#wasEverReady) this.#refuse(job)
      else this.#beImpatient(job)
    }, this.#limits.patienceMillis)
  }

  #refuse(job: Waiting): void {
    if (!this.#remove(job)) return
    job.settle(new RunnersBusy({ retryAfter: Duration.millis(this.#limits.patienceMillis) }))
  }

  #remove(job: Waiting): boolean {
    clearTimeout(job.impatience)
    return this.#lanes.remove(job.lane, job)
  }

  #settleWaiting(outcome: Settled): void {
    for (let job = this.#lanes.take(() => true); job !== undefined; job = this.#lanes.take(() => true)) {
      clearTimeout(job.impatience)
      job.settle(outcome)
    }
  }

  async #cancel(job: Waiting): Promise<void> {
    if (this.#remove(job)) return
    const place = [...this.#places].find((candidate) => candidate.job === job)
    if (place === undefined) return
    this.#end(place, Effect.interrupt)
    await place.runner.cleared
  }

  /** No lane holds every child, unless there is one only. */
  #mayRun(lane: string): boolean {
    return (this.#running.get(lane) ?? 0) < Math.max(1, this.#limits.size - 1)
  }

  #dispatch(): void {
    for (;;) {
      const idle = this.#in("idle")
      if (idle.length === 0 || this.#in("running", "ending").length >= this.#limits.size) break
      const job = this.#lanes.take((lane) => this.#mayRun(lane))
      const place = idle.find(({ file }) => file === job?.request.file) ?? idle[0]
      if (job === undefined || place === undefined) break
      this.#begin(place, job)
    }
    this.#grow()
  }

  #begin(place: Place, job: Waiting): void {
    clearTimeout(job.impatience)
    this.#running.set(job.lane, (this.#running.get(job.lane) ?? 0) + 1)
    place.state = "running"
    place.job = job
    place.file = job.request.file
    place.timer = setTimeout(() => this.#end(place, new RunStopped({ kind: "Timeout" })), this.#limits.deadlineMillis)
    place.runner.ask(job.request)
  }

  #release(place: Place): void {
    clearTimeout(place.timer)
    const { job } = place
    if (job === undefined) return
    delete place.job
    const left = (this.#running.get(job.lane) ?? 0) - 1
    if (left > 0) this.#running.set(job.lane, left)
    else this.#running.delete(job.lane)
  }

  #answered(place: Place, { isSpent, outcome }: RunAnswer): void {
    if (place.state !== "running") return
    place.job?.settle(isFault(outcome) ? failureOf(outcome) : Effect.succeed(outcome))
    this.#release(place)
    place.state = "idle"
    if (isSpent) this.#end(place, Effect.interrupt)
    this.#dispatch()
  }

  /** Kills a child; what it did ends so. */
  #end(place: Place, outcome: Settled): void {
    if (place.state === "ending") return
    clearTimeout(place.timer)
    place.state = "ending"
    place.runner.kill()
    place.job?.settle(outcome)
    this.#grow()
  }

  #gone(place: Place, { code, signal }: Ending): void {
    this.#places.delete(place)
    if (place.state === "running") {
      place.job?.settle(
        signal === null ? Effect.die(new RunnerBroke({ code })) : new RunStopped({ kind: "ResourceExceeded" })
      )
    }
    this.#release(place)
    if (place.state === "starting" && ++this.#failedStarts >= mostFailedStarts) this.#giveUp(new RunnerBroke({ code }))
    if (this.#lanes.size() > 0) this.#dispatch()
  }

  #giveUp(reason: unknown): void {
    this.#failedStarts = 0
    this.#settleWaiting(Effect.die(reason))
  }

  #grow(): void {
    const work = this.#in("running", "ending").length + this.#lanes.size()
    const wanted = Math.min(this.#limits.size, work) + 1
    try {
      while (!this.#isClosed && this.#in("starting", "idle", "running").length < wanted) this.#start()
    } catch (error) {
      this.#giveUp(error)
    }
  }

  #start(): void {
    const runner = startRunner(this.#entry, this.#limits, {
      onReady: () => {
        if (place.state !== "starting") return
        clearTimeout(place.timer)
        this.#failedStarts = 0
        this.#wasEverReady = true
        place.state = "idle"
        this.#dispatch()
      },
      onAnswer: (answer) => this.#answered(place, answer),
      onGone: (ending) => this.#gone(place, ending)
    })
    const place: Place = { state: "starting", runner }
    place.timer = setTimeout(() => runner.kill(), startMillis).unref()
    this.#places.add(place)
  }
}
