import type { ProcessExit } from "@trunkline/workers"
import { Data, Duration, Effect } from "effect"
import { makeFairQueue } from "./FairQueue.js"
import { isFault, type RunnerResult, type RunReply, type RunRequest } from "./Messages.js"
import { errorOfFault, type RunError, RunnersBusy, RunStopped } from "./RunErrors.js"
import { type ProcessRunner, type RunnerLimits, startRunner } from "./RunnerProcess.js"

/** Defect of a run whose child process exited by itself, which is a fault of this software. */
export class RunnerBroke extends Data.TaggedError("RunnerBroke")<{ readonly code: number | null }> {
  override get message() {
    return `A child process ended with code ${this.code}.`
  }
}

/** Outcome of a run. */
export type RunOutcome = Effect.Effect<RunnerResult, RunError>

/** A request with its lane and a callback for its outcome. */
export interface RunnerJob {
  readonly lane: string
  readonly request: RunRequest
  /** Called at most once. */
  readonly settle: (outcome: RunOutcome) => void
}

interface QueuedJob extends RunnerJob {
  waitTimer?: NodeJS.Timeout
}

/** A child with its state. */
interface Slot {
  state: "starting" | "idle" | "running" | "ending"
  readonly runner: ProcessRunner
  /** File of its last request, which it probably has open. */
  file?: string
  job?: QueuedJob
  timer?: NodeJS.Timeout
}

/** Time limit of starting a child, which takes a tenth of a second on an idle core. */
const startMillis = 30_000

/** Number of consecutive children that exit before they are ready, after which all waiting jobs fail. */
const maxFailedStarts = 3

/**
 * Children that run statements: as many as there is work for and one spare, so that no job waits for a new child when
 * another is killed.
 */
export class Runners {
  readonly #queue = makeFairQueue<QueuedJob>()
  readonly #slots = new Set<Slot>()
  /** Number of running statements by lane. */
  readonly #running = new Map<string, number>()
  readonly #limits: RunnerLimits
  readonly #entry: URL
  #failedStarts = 0
  #wasEverReady = false
  #isClosed = false

  constructor(entry: URL, limits: RunnerLimits) {
    this.#entry = entry
    this.#limits = limits
  }

  /** Runs a request in its turn. The result cancels it, and settles when nothing of it runs any more. */
  submit(job: RunnerJob): () => Promise<void> {
    const queuedJob: QueuedJob = { ...job }
    const { lane, settle } = queuedJob
    if (this.#isClosed) settle(Effect.interrupt)
    else {
      this.#queue.add(lane, queuedJob)
      this.#startWaitTimer(queuedJob)
      this.#dispatch()
      const { waiting, waitingPerLane } = this.#limits
      if (this.#queue.size() > waiting || this.#queue.size(lane) > waitingPerLane) this.#rejectAsBusy(queuedJob)
    }
    return () => this.#cancel(queuedJob)
  }

  /** Kills every child, and waits until they are gone. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#settleQueued(Effect.interrupt)
    const slots = [...this.#slots]
    for (const slot of slots) this.#end(slot, Effect.interrupt)
    await Promise.all(slots.map(({ runner }) => runner.cleanup))
  }

  #in(...states: ReadonlyArray<Slot["state"]>): ReadonlyArray<Slot> {
    return [...this.#slots].filter(({ state }) => states.includes(state))
  }

  #startWaitTimer(job: QueuedJob): void {
    job.waitTimer = setTimeout(() => {
      // No statement is ahead of this one while the first child starts.
      if (this.#wasEverReady) this.#rejectAsBusy(job)
      else this.#startWaitTimer(job)
    }, this.#limits.waitMillis)
  }

  #rejectAsBusy(job: QueuedJob): void {
    if (!this.#remove(job)) return
    job.settle(new RunnersBusy({ retryAfter: Duration.millis(this.#limits.waitMillis) }))
  }

  #remove(job: QueuedJob): boolean {
    clearTimeout(job.waitTimer)
    return this.#queue.remove(job.lane, job)
  }

  #settleQueued(outcome: RunOutcome): void {
    for (let job = this.#queue.take(() => true); job !== undefined; job = this.#queue.take(() => true)) {
      clearTimeout(job.waitTimer)
      job.settle(outcome)
    }
  }

  async #cancel(job: QueuedJob): Promise<void> {
    if (this.#remove(job)) return
    const slot = [...this.#slots].find((candidate) => candidate.job === job)
    if (slot === undefined) return
    this.#end(slot, Effect.interrupt)
    await slot.runner.cleanup
  }

  /** A lane may use all children but one, unless there is only one. */
  #mayRun(lane: string): boolean {
    return (this.#running.get(lane) ?? 0) < Math.max(1, this.#limits.size - 1)
  }

  #dispatch(): void {
    for (;;) {
      const idle = this.#in("idle")
      if (idle.length === 0 || this.#in("running", "ending").length >= this.#limits.size) break
      const job = this.#queue.take((lane) => this.#mayRun(lane))
      const slot = idle.find(({ file }) => file === job?.request.file) ?? idle[0]
      if (job === undefined || slot === undefined) break
      this.#begin(slot, job)
    }
    this.#grow()
  }

  #begin(slot: Slot, job: QueuedJob): void {
    clearTimeout(job.waitTimer)
    this.#running.set(job.lane, (this.#running.get(job.lane) ?? 0) + 1)
    slot.state = "running"
    slot.job = job
    slot.file = job.request.file
    slot.timer = setTimeout(() => this.#end(slot, new RunStopped({ kind: "Timeout" })), this.#limits.timeoutMillis)
    slot.runner.send(job.request)
  }

  #release(slot: Slot): void {
    clearTimeout(slot.timer)
    const { job } = slot
    if (job === undefined) return
    delete slot.job
    const remaining = (this.#running.get(job.lane) ?? 0) - 1
    if (remaining > 0) this.#running.set(job.lane, remaining)
    else this.#running.delete(job.lane)
  }

  #onReply(slot: Slot, { isSpent, outcome }: RunReply): void {
    if (slot.state !== "running") return
    slot.job?.settle(isFault(outcome) ? errorOfFault(outcome) : Effect.succeed(outcome))
    this.#release(slot)
    slot.state = "idle"
    if (isSpent) this.#end(slot, Effect.interrupt)
    this.#dispatch()
  }

  /** Kills a child, and settles its job with the outcome. */
  #end(slot: Slot, outcome: RunOutcome): void {
    if (slot.state === "ending") return
    clearTimeout(slot.timer)
    slot.state = "ending"
    slot.runner.kill()
    slot.job?.settle(outcome)
    this.#grow()
  }

  #onExit(slot: Slot, { code, signal }: ProcessExit): void {
    this.#slots.delete(slot)
    if (slot.state === "running") {
      slot.job?.settle(
        signal === null ? Effect.die(new RunnerBroke({ code })) : new RunStopped({ kind: "ResourceExceeded" })
      )
    }
    this.#release(slot)
    if (slot.state === "starting" && ++this.#failedStarts >= maxFailedStarts) {
      this.#failQueued(new RunnerBroke({ code }))
    }
    if (this.#queue.size() > 0) this.#dispatch()
  }

  #failQueued(defect: unknown): void {
    this.#failedStarts = 0
    this.#settleQueued(Effect.die(defect))
  }

  #grow(): void {
    const work = this.#in("running", "ending").length + this.#queue.size()
    const target = Math.min(this.#limits.size, work) + 1
    try {
      while (!this.#isClosed && this.#in("starting", "idle", "running").length < target) this.#start()
    } catch (error) {
      this.#failQueued(error)
    }
  }

  #start(): void {
    const runner = startRunner(this.#entry, this.#limits, {
      onReady: () => {
        if (slot.state !== "starting") return
        clearTimeout(slot.timer)
        this.#failedStarts = 0
        this.#wasEverReady = true
        slot.state = "idle"
        this.#dispatch()
      },
      onReply: (reply) => this.#onReply(slot, reply),
      onExit: (exit) => this.#onExit(slot, exit)
    })
    const slot: Slot = { state: "starting", runner }
    slot.timer = setTimeout(() => runner.kill(), startMillis).unref()
    this.#slots.add(slot)
  }
}
