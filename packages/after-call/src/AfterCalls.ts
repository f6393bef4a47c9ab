import type { AgentCatalog } from "@trunkline/agents"
import { type AttemptId, makeLeaseWorker, type Scope, scopeKey, Transactions } from "@trunkline/kernel"
import { conversationModel, LanguageModel } from "@trunkline/models"
import type { AttemptStore } from "@trunkline/telephony"
import { Clock, Context, Duration, Effect, Layer, Option, type Scope as Lifetime } from "effect"
import { AfterCallListener } from "./AfterCallListener.js"
import { askModel, type AskResult } from "./ask/AskModel.js"
import type { AfterCallQuestion } from "./ask/Question.js"
import type { AfterCallJob, AskTally } from "./jobs/AfterCallJob.js"
import { AfterCallJobs } from "./jobs/AfterCallJobs.js"
import { countExtraction } from "./work/Meters.js"
import { type JobOutcome, noAnswer, resultOf } from "./work/Outcome.js"
import { makeFindSubject, questionOf, type Subject } from "./work/Subject.js"

/** Options of the work on ended calls. */
export interface AfterCallOptions {
  /** Ended calls that one process works on at a time, of all workspaces together; 4 by default. */
  readonly concurrency?: number
  /** Interval of checking the store for jobs of other processes; 30 seconds by default. */
  readonly pollInterval?: Duration.DurationInput
  /** Tenant of a workspace in model requests; by default the workspace itself. */
  readonly tenantOf?: (scope: Scope) => Effect.Effect<string>
  /** Counts what the model uses for a call while work on it runs; nothing by default. */
  readonly counted?: (
    scope: Scope,
    attempt_id: AttemptId
  ) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Pauses in milliseconds before each further run, after a model that could not be reached. */
const pauses = [Duration.seconds(5), Duration.seconds(30), Duration.minutes(2), Duration.minutes(10)].map(
  Duration.toMillis
)

/** Runs of a job, with those that a crash has ended. */
const maxRuns = pauses.length + 1

/** Longer than all requests of a run. */
const lease = Duration.minutes(2)

/** Longest pause that a provider may ask for. */
const maxPause = Math.max(...pauses)

/** Jobs of one workspace that run at a time, so that a quarter stays free for others. */
const shareOf = (concurrency: number): number => Math.max(1, Math.floor(concurrency * 3 / 4))

/** Workspaces that have their share of the running jobs. */
const fullScopes = (running: ReadonlyArray<AfterCallJob>, share: number): ReadonlyArray<Scope> => {
  const counts = new Map<string, number>()
  return running.flatMap(({ scope }) => {
    const count = (counts.get(scopeKey(scope)) ?? 0) + 1
    counts.set(scopeKey(scope), count)
    return count === share ? [scope] : []
  })
}

/** The outcome of a question that is not asked. */
const withoutAsking = (question: string | null): JobOutcome =>
  question === null ? { status: "done", answer: noAnswer } : { status: "skipped", reason: question }

/** The outcome of a verdict that is final. */
const outcomeOf = (verdict: AskResult): JobOutcome =>
  verdict._tag === "Answered"
    ? { status: "done", answer: verdict.answer }
    : { status: "failed", reason: verdict.reason }

/**
 * Works on ended calls: asks a model for a summary and for the output variables that the call has not set, and hands the results to
 * the `AfterCallListener`.
 *
 * The jobs are durable: one that a process left behind is taken up by another one when its lease ends. A model that cannot be reached
 * is asked again after pauses, in five runs; an answer that does not fit is asked for again, three times. Works on Effect's Clock.
 */
export class AfterCalls extends Context.Tag("@trunkline/after-call/AfterCalls")<AfterCalls, {
  /** Works until interrupted. Run it once per process; several processes can share the jobs. */
  readonly run: Effect.Effect<never>
  /** Signals new jobs; call it after the commit. */
  readonly nudge: Effect.Effect<void>
  /** Starts no further job and completes when the running ones have come to an end; the rest waits in the store. */
  readonly drain: Effect.Effect<void>
}>() {
  /** Closing the layer interrupts the running jobs. */
  static readonly layer = (
    options: AfterCallOptions = {}
  ): Layer.Layer<
    AfterCalls,
    never,
    AfterCallJobs | AfterCallListener | AgentCatalog | AttemptStore | LanguageModel | Transactions
  > => Layer.scoped(AfterCalls, makeAfterCalls(options))
}

const makeAfterCalls = (
  {
    concurrency = 4,
    counted = () => (work) => work,
    pollInterval = Duration.seconds(30),
    tenantOf = (scope) => Effect.succeed(scopeKey(scope))
  }: AfterCallOptions
): Effect.Effect<
  typeof AfterCalls.Service,
  never,
  AfterCallJobs | AfterCallListener | AgentCatalog | AttemptStore | Lifetime.Scope | LanguageModel | Transactions
> =>
  Effect.gen(function*() {
    const jobs = yield* AfterCallJobs
    const listener = yield* AfterCallListener
    const model = yield* LanguageModel
    const transactions = yield* Transactions
    const find = yield* makeFindSubject
    const share = shareOf(concurrency)

    /** Stores the outcome, unless another process has the job by now. */
    const finish = Effect.fnUntraced(
      function*(job: AfterCallJob, subject: Subject, outcome: JobOutcome, about: {
        readonly asked: AskTally
        readonly model: string
      }) {
        const { attempt, interaction, result, version } = subject
        const now = yield* Clock.currentTimeMillis
        const duration_seconds = Math.max(0, now - job.created_at) / 1_000
        const outputs = version?.output_variables ?? []
        const after = resultOf({ interaction, outputs, outcome }, { ...about, duration_seconds })
        const sendAgain = version?.after_call?.webhook_again ?? false
        const conclusion = { attempt, result, after, sendAgain }
        const isOurs = yield* transactions.run(
          Effect.tap(jobs.remove(job), (isOurs) => isOurs ? listener.finished(conclusion) : Effect.void)
        )
        if (!isOurs) return
        if (after.extraction !== null) countExtraction(after.extraction)
        if (outcome.status === "failed") yield* Effect.logWarning("A call could not be evaluated after its end")
        yield* listener.committed(conclusion)
      }
    )

    /** Asks the model, and stores the outcome or puts the job off. */
    const ask = Effect.fnUntraced(function*(job: AfterCallJob, subject: Subject, question: AfterCallQuestion) {
      if (job.runs > maxRuns) {
        const reason = `The work was interrupted ${maxRuns} times`
        return yield* finish(job, subject, { status: "failed", reason }, { ...question, asked: job.asked })
      }
      const { asked, verdict } = yield* askModel(model, question, job.asked)
      const pause = pauses[job.runs - 1]
      if (verdict._tag !== "Unavailable" || pause === undefined) {
        return yield* finish(job, subject, outcomeOf(verdict), { ...question, asked })
      }
      const wait = Math.max(pause, Math.min(maxPause, Duration.toMillis(verdict.retryAfter)))
      const due_at = (yield* Clock.currentTimeMillis) + wait
      yield* transactions.runGuarded(jobs.defer({ ...job, asked, due_at }))
      yield* Effect.logInfo(`The model could not be asked about an ended call; next try in ${wait / 1_000} s`)
    })

    const work = Effect.fnUntraced(function*(job: AfterCallJob) {
      const subject = Option.getOrUndefined(yield* find(job))
      if (subject === undefined) return yield* Effect.asVoid(transactions.run(jobs.remove(job)))
      const question = questionOf(subject, `${yield* tenantOf(job.scope)} after calls`)
      return question === null || typeof question === "string"
        ? yield* finish(job, subject, withoutAsking(question), { asked: job.asked, model: conversationModel })
        : yield* ask(job, subject, question)
    })

    return yield* makeLeaseWorker<AfterCallJob>({
      noun: "job after a call",
      concurrency,
      lease,
      pollInterval,
      claim: (claim, running) =>
        transactions.runGuarded(jobs.claim({ ...claim, limit: 1, exceptScopes: fullScopes(running, share) })),
      next: (running) => jobs.next({ exceptScopes: fullScopes(running, share) }),
      work: (job) => Effect.annotateLogs(counted(job.scope, job.attempt_id)(work(job)), { attempt_id: job.attempt_id })
    })
  })
