import { ChartRenderer } from "@trunkline/charts"
import { BoardsFailure, NotFound } from "@trunkline/errors"
import { Ids, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  type CreateRule,
  type Mail,
  Mailer,
  type MailError,
  NotificationDelivery,
  type NotificationDeliveryOptions,
  NotificationOptions,
  NotificationRules,
  NotificationStore,
  type Report,
  ReportSource,
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
  Scope as EffectScope
} from "effect"

export const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
export const board_id = "board-1"
export const chatUrl = "https://hooks.slack.com/services/T0/B0/secret"

/** 05:30 in India. */
export const midnight = Date.parse("2026-01-01T00:00:00Z")
/** 09:00 in India on that day. */
export const nine = Date.parse("2026-01-01T03:30:00Z")

/** Body of a rule that mails a widget's report every day at nine. */
export const dailyRule = (change: Partial<CreateRule> = {}): CreateRule => ({
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

/** Options of a process. */
export interface ProcessOptions {
  readonly secret?: string
  readonly chatHosts?: ReadonlyArray<string> | "any"
  readonly boardUrl?: NonNullable<NotificationDeliveryOptions["boardUrl"]>
}

export interface Mailed extends Mail {
  readonly at: number
}

/** Recorded calls to external services. */
export class FakeServices extends Context.Tag("test/Outside")<FakeServices, {
  readonly posts: Array<Posted>
  readonly mails: Array<Mailed>
  readonly reports: Array<number>
}>() {}

/** Another workspace of the same organisation. */
export const otherScope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })

export interface FakeOptions extends ProcessOptions {
  /** Outcome of a workspace's widgets. */
  readonly outcome?: (owner: Scope) => Effect.Effect<Report["outcome"]>
  /** Response to each post, by its number from 1. */
  readonly respond?: (
    number: number,
    url: string
  ) => Effect.Effect<{ readonly status: number; readonly headers?: Readonly<Record<string, string>> }, SendFailed>
  readonly render?: typeof ChartRenderer.Service["render"]
  /** Result of each mail, by its number from 1. */
  readonly sendMail?: (number: number, mail: Mail) => Effect.Effect<void, MailError>
}

const fakeServices = ({ outcome, respond, sendMail }: FakeOptions) =>
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
    return Context.make(FakeServices, { posts, mails, reports }).pipe(
      Context.add(ReportSource, {
        checkBoard,
        checkWidget: (scope, id, widget) =>
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
            return Effect.map(respond?.(posts.length, url) ?? Effect.succeed({ status: 200 }), (response) => ({
              headers: {},
              ...response
            }))
          })
      }),
      Context.add(
        Mailer,
        Mailer.make((mail) =>
          Effect.flatMap(Clock.currentTimeMillis, (at) => {
            mails.push({ ...mail, at })
            return sendMail?.(mails.length, mail) ?? Effect.void
          })
        )
      )
    )
  }))

export const sealerOf = (secret: string) =>
  Sealer.layer(Redacted.make(secret)).pipe(Layer.provide(Entropy.layerSeeded("sealer")))

/** External services and the store, which outlive a process. */
export const sharedLayer = (options: FakeOptions = {}) =>
  Layer.mergeAll(
    fakeServices(options),
    NotificationStore.layerMemory,
    Transactions.layerMemory,
    Ids.layerSeeded("notifications"),
    options.render === undefined
      ? ChartRenderer.layerNone
      : Layer.succeed(ChartRenderer, { render: options.render }),
    // Failed deliveries are logged; the tests check the history instead.
    Logger.minimumLogLevel(LogLevel.Fatal)
  )

/** Long, so that simulated time advances only to due work. */
const pollInterval = Duration.days(30)

/** Services of one process, not running yet. */
export const processLayer = ({ boardUrl, chatHosts = ["hooks.slack.com"], secret = "secret" }: ProcessOptions = {}) =>
  NotificationRules.layer.pipe(
    Layer.provideMerge(Scheduler.layer({ pollInterval })),
    Layer.provideMerge(NotificationDelivery.layer({
      pollInterval,
      version: "1.2.3",
      messageIdDomain: "example.in",
      ...(boardUrl && { boardUrl })
    })),
    Layer.provideMerge(sealerOf(secret)),
    Layer.provide(Layer.succeed(NotificationOptions, { chatHosts }))
  )

/** Services of one process with its environment. */
export const testLayer = (options: FakeOptions = {}) => Layer.provideMerge(processLayer(options), sharedLayer(options))

/** Starts scheduling and delivery. */
export const start = Effect.gen(function*() {
  yield* Effect.forkScoped((yield* Scheduler).run)
  yield* Effect.forkScoped((yield* NotificationDelivery).run)
})

/** Starts a process on the shared services, until it is stopped. */
export const startProcess = (options: ProcessOptions = {}) =>
  Effect.gen(function*() {
    const processScope = yield* EffectScope.make()
    yield* Effect.addFinalizer(() => EffectScope.close(processScope, Exit.void))
    const services = yield* Layer.buildWithScope(Layer.fresh(processLayer(options)), processScope)
    yield* Effect.provide(EffectScope.extend(start, processScope), services)
    return { stop: EffectScope.close(processScope, Exit.void), services }
  })

export const create = (change: Partial<CreateRule> = {}, owner = scope) =>
  Effect.flatMap(NotificationRules, (rules) => rules.create(owner, board_id, dailyRule(change)))

/** Delivery history of a rule. */
export const history = (id: RuleId, owner = scope) =>
  Effect.flatMap(NotificationRules, (rules) => rules.deliveries(owner, board_id, id, { limit: 100, offset: 0 })).pipe(
    Effect.map(({ items }) => items)
  )

/** Advances simulated time. */
export const sleepUntil = (at: number) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.sleep(Math.max(0, at - now)))

export const iso = (at: number) => DateTime.formatIso(DateTime.unsafeMake(at))

type TestServices = Layer.Layer.Success<ReturnType<typeof testLayer>>
type SharedServices = Layer.Layer.Success<ReturnType<typeof sharedLayer>>

/** A test in simulated time from midnight with one process. */
export const itWithProcess = <A, E>(
  name: string,
  effect: () => Effect.Effect<A, E, EffectScope.Scope | TestServices>,
  options: FakeOptions = {}
): void => virtualTest(name, () => Effect.provide(effect(), testLayer(options)), { start: midnight })

/** The same without a process; the test starts and stops its own. */
export const itWithStore = <A, E>(
  name: string,
  effect: () => Effect.Effect<A, E, EffectScope.Scope | SharedServices>,
  options: FakeOptions = {}
): void => virtualTest(name, () => Effect.provide(effect(), sharedLayer(options)), { start: midnight })
