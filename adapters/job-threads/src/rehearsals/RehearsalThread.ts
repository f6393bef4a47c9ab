import { AllowedSchedule, AppConfig } from "@trunkline/campaigns"
import { describeCause, Timestamp } from "@trunkline/kernel"
import {
  CalleeModel,
  NothingToRehearse,
  Prices,
  RehearsalProgress,
  RehearsalReport,
  type RehearsalRequest,
  rehearse
} from "@trunkline/rehearsal"
import { type RequestThread, startRequestThread } from "@trunkline/workers"
import { Cause, Effect, Exit, Logger, Option, Schema } from "effect"
import type { MessagePort, ResourceLimits } from "node:worker_threads"

/** Request on its way to a thread. */
const Request = Schema.Struct({
  campaign: Schema.Struct({
    app_config: AppConfig,
    start_timestamp: Timestamp,
    end_timestamp: Timestamp,
    allowed_schedule: AllowedSchedule
  }),
  contacts: Schema.Number,
  callees: Schema.optionalWith(CalleeModel, { exact: true }),
  seed: Schema.optionalWith(Schema.Union(Schema.Number, Schema.String), { exact: true }),
  now: Schema.optionalWith(Schema.Number, { exact: true }),
  maxConcurrentCalls: Schema.optionalWith(Schema.Number, { exact: true }),
  maxChannels: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Number }), { exact: true }),
  ringTimeoutSeconds: Schema.optionalWith(Schema.Number, { exact: true }),
  maxDurationSeconds: Schema.optionalWith(Schema.Number, { exact: true }),
  prices: Schema.optionalWith(Prices, { exact: true }),
  lowestRate: Schema.optionalWith(Schema.Boolean, { exact: true })
})

const encode = Schema.encodeSync(Request)

/** Encodes a request for a thread. A rehearsal sends no webhooks, so the webhook secret is left out. */
export const encodeRequest = (request: RehearsalRequest): typeof Request.Encoded => {
  const { campaign } = request
  return encode({
    ...request,
    campaign: { ...campaign, app_config: { ...campaign.app_config, webhook_config: null } }
  })
}

const decodeRequest = Schema.decodeUnknownSync(Request)

/** Reply of a thread: progress any number of times, then the outcome. */
const Reply = Schema.Union(
  Schema.TaggedStruct("Progress", { progress: RehearsalProgress }),
  Schema.TaggedStruct("Done", { report: RehearsalReport }),
  Schema.TaggedStruct("Refused", { error: NothingToRehearse }),
  /** The rehearsal died; `kind` is the kind of the error. */
  Schema.TaggedStruct("Broken", { kind: Schema.String })
)
type Reply = typeof Reply.Type

const encodeReply = Schema.encodeSync(Reply)

/** Defect of a rehearsal whose thread crashed. It names the kind of error and none of the data. */
export class RehearsalBroke extends Error {
  override readonly name = "RehearsalBroke"
  constructor(kind: string) {
    super(`A rehearsal crashed in its thread: ${kind}`)
  }
}

/** A thread that rehearses one campaign at a time. */
export type RehearsalThread = RequestThread<typeof Request.Encoded, Reply>

/** Starts a thread for rehearsals. */
export const startRehearsalThread = (entry: URL, resourceLimits: ResourceLimits): RehearsalThread =>
  startRequestThread(entry, { name: "rehearsal", resourceLimits, decode: Schema.decodeUnknownEither(Reply) })

/**
 * Rehearses in a thread; dies with `RehearsalBroke` when the thread crashes. A refusal is a value, as the thread stays
 * usable after it.
 */
export const rehearseIn = (
  thread: RehearsalThread,
  request: RehearsalRequest,
  onProgress: (progress: RehearsalProgress) => Effect.Effect<void>
): Effect.Effect<Exit.Exit<RehearsalReport, NothingToRehearse>> =>
  thread.requestMany(encodeRequest(request), (next) =>
    Effect.gen(function*() {
      for (;;) {
        const reply = yield* next
        if (reply._tag === "Done") return Exit.succeed(reply.report)
        if (reply._tag === "Refused") return Exit.fail(reply.error)
        if (reply._tag === "Broken") return yield* Effect.die(new RehearsalBroke(reply.kind))
        yield* onProgress(reply.progress)
      }
    })).pipe(Effect.catchTag("WorkerCrashed", ({ kind }) => Effect.die(new RehearsalBroke(kind))))

/** Rehearses the campaigns that are requested over a port, in a thread, one at a time. Nothing is logged. */
export const serveRehearsals = (port: MessagePort): void => {
  const post = (reply: Reply) => Effect.sync(() => port.postMessage(encodeReply(reply)))

  const replyTo = (request: unknown) =>
    Effect.suspend(() =>
      rehearse({ ...decodeRequest(request), onProgress: (progress) => post({ _tag: "Progress", progress }) })
    ).pipe(
      Effect.exit,
      Effect.flatMap((exit) => {
        if (Exit.isSuccess(exit)) return post({ _tag: "Done", report: exit.value })
        return Option.match(Cause.failureOption(exit.cause), {
          onSome: (error) => post({ _tag: "Refused", error }),
          onNone: () => post({ _tag: "Broken", kind: describeCause(exit.cause) })
        })
      }),
      Effect.provide(Logger.remove(Logger.defaultLogger))
    )

  port.on("message", (request) => void Effect.runFork(replyTo(request)))
}
