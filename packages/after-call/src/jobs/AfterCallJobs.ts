import { type AttemptId, type LeaseClaim, MemoryTable, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { AfterCallJob } from "./AfterCallJob.js"

/** Workspaces whose jobs are left alone. */
export interface ExceptScopes {
  readonly exceptScopes: ReadonlyArray<Scope>
}

/** A claim of a job: no other process has it while `runs` is the same. */
export type ClaimedJob = Pick<AfterCallJob, "attempt_id" | "runs">

/**
 * Store of the work on ended calls. The transaction that ends an attempt adds its job, so that a crash loses none, and the one that
 * stores its results removes it, so that they are stored once.
 */
export class AfterCallJobs extends Context.Tag("@trunkline/after-call/AfterCallJobs")<AfterCallJobs, {
  /** Adds jobs, except for attempts that have one. Joins the running transaction. */
  readonly insertMany: (jobs: ReadonlyArray<AfterCallJob>) => Effect.Effect<void>
  /** Claims due jobs until the end of the lease, the longest due first, and counts a run of each. */
  readonly claim: (claim: LeaseClaim & ExceptScopes) => Effect.Effect<ReadonlyArray<AfterCallJob>>
  /** Time from which the next job can be claimed; none if there are none. */
  readonly next: (except: ExceptScopes) => Effect.Effect<Option.Option<number>>
  /** Puts a claimed job off: stores `due_at` and `asked`. Returns false when it was claimed again since, or is gone. */
  readonly defer: (job: AfterCallJob) => Effect.Effect<boolean>
  /** Removes a claimed job. Returns false when it was claimed again since, or is gone. Joins the running transaction. */
  readonly remove: (claimedJob: ClaimedJob) => Effect.Effect<boolean>
  /** Number of jobs, of all workspaces. */
  readonly count: Effect.Effect<number>
}>() {
  /** Stores jobs in memory. */
  static readonly layerMemory = Layer.sync(AfterCallJobs, () => {
    const jobs = MemoryTable.make<AttemptId, AfterCallJob>()
    const inOrder = ({ exceptScopes }: ExceptScopes) => {
      const except = new Set(exceptScopes.map(scopeKey))
      return [...jobs.values()]
        .filter(({ scope }) => !except.has(scopeKey(scope)))
        .sort((a, b) => a.due_at - b.due_at || (a.attempt_id < b.attempt_id ? -1 : 1))
    }
    const jobOf = ({ attempt_id, runs }: ClaimedJob): AfterCallJob | undefined => {
      const job = jobs.get(attempt_id)
      return job?.runs === runs ? job : undefined
    }
    return AfterCallJobs.of({
      insertMany: (newJobs) =>
        Effect.forEach(
          newJobs,
          (job) => jobs.get(job.attempt_id) === undefined ? jobs.set(job.attempt_id, job) : Effect.void,
          { discard: true }
        ),
      claim: ({ exceptScopes, leaseMillis, limit, now }) =>
        Effect.suspend(() =>
          Effect.forEach(
            inOrder({ exceptScopes }).filter(({ due_at }) => due_at <= now).slice(0, limit),
            (job) => {
              const lease = { ...job, runs: job.runs + 1, due_at: now + leaseMillis }
              return Effect.as(jobs.set(job.attempt_id, lease), lease)
            }
          )
        ),
      next: (except) => Effect.sync(() => Option.map(Option.fromNullable(inOrder(except)[0]), ({ due_at }) => due_at)),
      defer: (job) =>
        Effect.suspend(() =>
          jobOf(job) === undefined ? Effect.succeed(false) : Effect.as(jobs.set(job.attempt_id, job), true)
        ),
      remove: (claim) =>
        Effect.suspend(() =>
          jobOf(claim) === undefined ? Effect.succeed(false) : Effect.as(jobs.delete(claim.attempt_id), true)
        ),
      count: Effect.sync(() => jobs.size)
    })
  })
}
