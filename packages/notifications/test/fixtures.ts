import { ChartRenderer } from "@trunkline/charts"
import { BoardsFailure, NotFound } from "@trunkline/errors"
import { Ids, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { virtual } from "@trunkline/kernel/testing"
import {
  type CreateRule,
  type Mail,
  Mailer,
  type MailError,
  NotificationDelivery,
  NotificationOptions,
  NotificationRules,
  NotificationStore,
  type Report,
  ReportedWidgets,
  type RuleId,
  Scheduler,
  Sealer,
  type WidgetReport
} from "@trunkline/notifications"
import { Entropy } from "@trunkline/rate-limits"
import { HttpSender, type SendFailed } from "@trunkline/webhooks"
import {
  Clock,
  Context,
  DateTime,
  Duration,
  Effect,
  Exit,
  Layer,
  Logger,
  LogLevel,
  Redacted,
  Scope as Life
} from "effect"

export const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
export const board_id = "board-1"
export const chatUrl = "https://hooks.slack.com/services/T0/B0/secret"

/** 05:30 in India: half past three in the afternoon is ten hours away. */
export const midnight = Date.parse("2026-01-01T00:00:00Z")
/** 09:00 in India on that day. */
export const nine = Date.parse("2026-01-01T03:30:00Z")

/** A body that reports a widget every day at nine by mail. */
export const daily = (change: Partial<CreateRule> = {}): CreateRule => ({
  widget_id: "widget-1",
  cron: "0 9 * * *",
  name: null,
  email_recipients: ["asha@example.in"],
  slack_webhook_url: null,
  slack_channel_name: null,
  ...change
})

export const table: Report["outcome"] = {
  columns: [{ name: "day" }, { name: "calls" }],
  rows: [["2026-01-01", 12], ["2026-01-02", 7]],
  truncated: false
}

export interface Posted {
  readonly at: number
  readonly url: string
  readonly body: unknown
}

/** How a process is set up. */
export interface ProcessOptions {
  readonly secret?: string
  readonly chatHosts?: ReadonlyArray<string> | "any"
}

export interface Mailed extends Mail {
  readonly at: number
}

/** What the world outside does, and what it saw. */
export class Outside extends Context.Tag("test/Outside")<Outside, {
  readonly posts: Array<Posted>
  readonly mails: Array<Mailed>
  readonly reports: Array<number>
}>() {}

/** Another workspace of the same organisation. */
export const elsewhere = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })

export interface OutsideOptions extends ProcessOptions {
  /** What the widgets of a workspace give. */
  readonly outcome?: (owner: Scope) => Effect.Effect<Report["outcome"]>
  /** The status and headers of each post, by its number from 1. */
  readonly answer?: (
    number: number,
    url: string
  ) => Effect.Effect<{ readonly status: number; readonly headers?: Readonly<Record<string, string>> }, SendFailed>
  readonly render?: typeof ChartRenderer.Service["render"]
  /** What becomes of each mail, by its number from 1. */
  readonly carry?: (number: number, mail: Mail) => Effect.Effect<void, MailError>
}

const outside = ({ answer, carry, outcome }: OutsideOptions) =>
  Layer.effectContext(Effect.sync(() => {
    const posts: Array<Posted> = []
    const mails: Array<Mailed> = []
    const reports: Array<number> = []
    const report = (owner: Scope) =>
      Effect.gen(function*() {
        reports.push(yield* Clock.currentTimeMillis)
        return {
          board_name: "Calls",
          widget_name: "Calls per day",
          viz_type: "table",
          viz_config: {},
          outcome: outcome === undefined ? table : yield* outcome(owner)
        } satisfies WidgetReport
      })
    const checkBoard = (_: Scope, id: string) => id === board_id ? Effect.void : new NotFound({ resource: "board", id })
    return Context.make(Outside, { posts, mails, reports }).pipe(
      Context.add(ReportedWidgets, {
        checkBoard,
        check: (scope, id, widget) =>
          Effect.zipRight(
            checkBoard(scope, id),
            widget.startsWith("widget-")
              ? Effect.void
              : new BoardsFailure({ code: "WIDGET_NOT_ON_BOARD", message: "The widget is not on this board" })
          ),
        report
      }),
      Context.add(HttpSender, {
        post: ({ body, url }) =>
          Effect.flatMap(Clock.currentTimeMillis, (at) => {
            posts.push({ at, url, body: JSON.parse(new TextDecoder().decode(body)) })
            return Effect.map(answer?.(posts.length, url) ?? Effect.succeed({ status: 200 }), (one) => ({
              headers: {},
              ...one
            }))
          })
      }),
      Context.add(
        Mailer,
        Mailer.make((mail) =>
          Effect.flatMap(Clock.currentTimeMillis, (at) => {
            mails.push({ ...mail, at })
            return carry?.(mails.length, mail) ?? Effect.void
          })
        )
      )
    )
  }))

export const sealerOf = (secret: string) =>
  Sealer.layer(Redacted.make(secret)).pipe(Layer.provide(Entropy.layerSeeded("sealer")))

/** The world outside and the store: what outlives a process. */
export const lasting = (options: OutsideOptions = {}) =>
  Layer.mergeAll(
    outside(options),
    NotificationStore.layerMemory,
    Transactions.layerMemory,
    Ids.layerSeeded("notifications"),
    options.render === undefined
      ? ChartRenderer.layerNone
      : Layer.succeed(ChartRenderer, { render: options.render }),
    // What is given up is logged: the tests look at the history instead.
    Logger.minimumLogLevel(LogLevel.Fatal)
  )

/** Looks at the store only when nudged or something is due, so that simulated time has few stops. */
const pollInterval = Duration.days(30)

/** One process: the rules and their delivery, not running yet. */
export const process = ({ chatHosts = ["hooks.slack.com"], secret = "secret" }: ProcessOptions = {}) =>
  NotificationRules.layer.pipe(
    Layer.provideMerge(Scheduler.layer({ pollInterval })),
    Layer.provideMerge(NotificationDelivery.layer({ pollInterval, version: "1.2.3", messageIdDomain: "example.in" })),
    Layer.provideMerge(sealerOf(secret)),
    Layer.provide(Layer.succeed(NotificationOptions, { chatHosts }))
  )

/** Everything of one process. */
export const world = (options: OutsideOptions = {}) => Layer.provideMerge(process(options), lasting(options))

/** Decides and delivers from now on. */
export const start = Effect.gen(function*() {
  yield* Effect.forkScoped((yield* Scheduler).run)
  yield* Effect.forkScoped((yield* NotificationDelivery).run)
})

/** A process that runs over what lasts, until it is stopped. */
export const startProcess = (options: ProcessOptions = {}) =>
  Effect.gen(function*() {
    const life = yield* Life.make()
    yield* Effect.addFinalizer(() => Life.close(life, Exit.void))
    const services = yield* Layer.buildWithScope(Layer.fresh(process(options)), life)
    yield* Effect.provide(Life.extend(start, life), services)
    return { stop: Life.close(life, Exit.void), services }
  })

export const create = (change: Partial<CreateRule> = {}, owner = scope) =>
  Effect.flatMap(NotificationRules, (rules) => rules.create(owner, board_id, daily(change)))

/** The delivery history of a rule. */
export const history = (id: RuleId, owner = scope) =>
  Effect.flatMap(NotificationRules, (rules) => rules.deliveries(owner, board_id, id, { limit: 100, offset: 0 })).pipe(
    Effect.map(({ items }) => items)
  )

/** Lets simulated time pass up to a moment. */
export const until = (at: number) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.sleep(Math.max(0, at - now)))

export const iso = (at: number) => DateTime.formatIso(DateTime.unsafeMake(at))

type World = Layer.Layer.Success<ReturnType<typeof world>>
type Lasting = Layer.Layer.Success<ReturnType<typeof lasting>>

/** A test in simulated time that begins at midnight, with one process. */
export const story = <A, E>(
  name: string,
  effect: () => Effect.Effect<A, E, Life.Scope | World>,
  options: OutsideOptions = {}
): void => virtual(name, () => Effect.provide(effect(), world(options)), { start: midnight })

/** The same without a process: the test starts and stops its own. */
export const saga = <A, E>(
  name: string,
  effect: () => Effect.Effect<A, E, Life.Scope | Lasting>,
  options: OutsideOptions = {}
): void => virtual(name, () => Effect.provide(effect(), lasting(options)), { start: midnight })
