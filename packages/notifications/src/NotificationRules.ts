import { BoardsFailure, Invalid, NotFound } from "@trunkline/errors"
import { BusinessTime, Ids, type Scope, Transactions, WebAddressRules } from "@trunkline/kernel"
import { Array, Clock, Context, DateTime, Effect, Layer, Option } from "effect"
import { ReportSource } from "./reports/Report.js"
import { chatAddressIssue, NotificationOptions } from "./rules/ChatAddress.js"
import { parseCron } from "./rules/Cron.js"
import {
  channelsOf,
  type CreateRule,
  NotificationRule,
  type PatchRule,
  type Rule,
  RuleId,
  toRule
} from "./rules/NotificationRule.js"
import { Sealer } from "./rules/Sealer.js"
import { Scheduler } from "./schedule/Scheduler.js"
import { type DeliveryItem, toDeliveryItem } from "./store/Delivery.js"
import type { ListPage } from "./store/NotificationRun.js"
import { NotificationStore } from "./store/NotificationStore.js"

/** Most rules of one board. */
export const maxRulesPerBoard = 100

/** A page of a list with the total count. */
export interface PageOf<A> extends ListPage {
  readonly items: ReadonlyArray<A>
  readonly total: number
}

/** Failures of creating or changing a rule: `Invalid` is a 422, `BoardsFailure` a 400 with its code. */
export type RuleFailure = BoardsFailure | Invalid | NotFound

/**
 * Rules that report widgets of boards on a schedule.
 *
 * @example
 * ```ts
 * import { NotificationRules } from "@trunkline/notifications"
 * import type { Scope } from "@trunkline/kernel"
 * import { Effect } from "effect"
 *
 * const everyMorning = (scope: Scope, board_id: string, widget_id: string) =>
 *   Effect.flatMap(NotificationRules, (rules) =>
 *     rules.create(scope, board_id, {
 *       widget_id,
 *       cron: "0 9 * * MON-FRI",
 *       name: "Morning report",
 *       email_recipients: ["asha@example.in"],
 *       slack_webhook_url: null,
 *       slack_channel_name: null
 *     }))
 * ```
 */
export class NotificationRules extends Context.Tag("@trunkline/notifications/NotificationRules")<NotificationRules, {
  /**
   * Creates an enabled rule. Fails with `INVALID_CRON`, `CRON_TOO_FREQUENT`, `NO_DELIVERY_CHANNEL`,
   * `WIDGET_NOT_ON_BOARD`, or `INVALID_REQUEST` when the board already has 100 rules.
   */
  readonly create: (scope: Scope, board_id: string, body: CreateRule) => Effect.Effect<Rule, RuleFailure>
  readonly get: (scope: Scope, board_id: string, rule_id: RuleId) => Effect.Effect<Rule, NotFound>
  /** Lists the rules of a board, newest first. */
  readonly list: (scope: Scope, board_id: string, page: ListPage) => Effect.Effect<PageOf<Rule>, NotFound>
  /** Changes a rule. Enabling a rule resumes with its next occurrence. */
  readonly patch: (
    scope: Scope,
    board_id: string,
    rule_id: RuleId,
    body: PatchRule
  ) => Effect.Effect<Rule, RuleFailure>
  /** Deletes a rule with its history. Deliveries in progress complete; waiting ones are dropped. */
  readonly remove: (scope: Scope, board_id: string, rule_id: RuleId) => Effect.Effect<void, NotFound>
  /** Deletes the rules of widgets that are removed from a board. Joins the running transaction. */
  readonly removeOfWidgets: (scope: Scope, board_id: string, widget_ids: ReadonlyArray<string>) => Effect.Effect<void>
  /** Delivery history of a rule, newest occurrence first. */
  readonly deliveries: (
    scope: Scope,
    board_id: string,
    rule_id: RuleId,
    page: ListPage
  ) => Effect.Effect<PageOf<DeliveryItem>, NotFound>
}>() {
  /** Rules in the `NotificationStore`; changes nudge the `Scheduler`. */
  static readonly layer = Layer.effect(
    NotificationRules,
    Effect.gen(function*() {
      const store = yield* NotificationStore
      const widgets = yield* ReportSource
      const scheduler = yield* Scheduler
      const sealer = yield* Sealer
      const transactions = yield* Transactions
      const ids = yield* Ids
      const { chatHosts } = yield* NotificationOptions
      const { allowInsecureUrls } = yield* WebAddressRules

      /** Validates and encrypts the address of a chat webhook; must not run inside a transaction. */
      const sealAddress = (address: string | null) => {
        const issue = address === null ? null : chatAddressIssue(address, { allowInsecureUrls, chatHosts })
        if (issue !== null) return Effect.fail(Invalid.at(["body", "slack_webhook_url"], "url_parsing", issue))
        return address === null ? Effect.succeed(null) : sealer.seal(address)
      }

      const find = (scope: Scope, board_id: string, id: RuleId) =>
        store.findRule(scope, id).pipe(
          Effect.map(Option.filter((rule) => rule.board_id === board_id)),
          Effect.flatMap(Effect.mapError(() => new NotFound({ resource: "notification rule", id })))
        )

      const checkChannels = (rule: NotificationRule) =>
        channelsOf(rule).length > 0 ? Effect.void : new BoardsFailure({
          code: "NO_DELIVERY_CHANNEL",
          message: "A rule needs at least one recipient or a chat webhook"
        })

      const checkRuleLimit = (scope: Scope, board_id: string) =>
        Effect.flatMap(
          store.listRules(scope, board_id, { limit: 1, offset: 0 }),
          ({ total }) =>
            total < maxRulesPerBoard ? Effect.void : new BoardsFailure({
              code: "INVALID_REQUEST",
              message: `A board has at most ${maxRulesPerBoard} notification rules`
            })
        )

      const nextRun = (cron: string, now: DateTime.Utc) =>
        Effect.map(
          parseCron(cron, now.epochMillis),
          ({ next }) => Option.getOrNull(Option.map(next(now.epochMillis), (at) => DateTime.unsafeMake(at)))
        )

      const create = Effect.fn("NotificationRules.create")(function*(scope: Scope, board_id: string, body: CreateRule) {
        const { cron, email_recipients, name, slack_channel_name, slack_webhook_url, widget_id } = body
        const sealed_slack_webhook = yield* sealAddress(slack_webhook_url)
        yield* widgets.checkBoard(scope, board_id)
        const now = yield* BusinessTime.date
        const rule = new NotificationRule({
          rule_id: RuleId.make(yield* ids.uuid),
          board_id,
          widget_id,
          name,
          cron,
          enabled: true,
          email_recipients: recipientsOf(email_recipients),
          sealed_slack_webhook,
          slack_channel_name,
          next_run_at: yield* nextRun(cron, now),
          created_at: now,
          updated_at: now
        })
        yield* checkChannels(rule)
        yield* transactions.run(Effect.all([
          widgets.checkWidget(scope, board_id, widget_id),
          checkRuleLimit(scope, board_id),
          store.putRule(scope, rule)
        ]))
        yield* scheduler.nudge
        return toRule(rule)
      })

      const patch = Effect.fn("NotificationRules.patch")(
        function*(scope: Scope, board_id: string, rule_id: RuleId, body: PatchRule) {
          const before = yield* find(scope, board_id, rule_id)
          if (isEmptyPatch(body)) return toRule(before)
          const address = body.slack_webhook_url
          const chat = address === undefined ? {} : { sealed_slack_webhook: yield* sealAddress(address) }
          const rule = yield* transactions.run(Effect.gen(function*() {
            const before = yield* find(scope, board_id, rule_id)
            const now = yield* BusinessTime.date
            const cron = body.cron ?? before.cron
            const isEnabled = body.enabled ?? before.enabled
            const isRescheduled = cron !== before.cron || (isEnabled && !before.enabled)
            const next_run_at = isRescheduled ? yield* nextRun(cron, now) : before.next_run_at
            const rule = new NotificationRule({
              ...before,
              ...chat,
              ...patchedFields(body),
              cron,
              enabled: isEnabled,
              next_run_at: isEnabled ? next_run_at : null,
              updated_at: now
            })
            yield* checkChannels(rule)
            yield* store.putRule(scope, rule)
            return rule
          }))
          yield* scheduler.nudge
          return toRule(rule)
        }
      )

      return NotificationRules.of({
        create,
        get: (scope, board_id, id) => Effect.map(find(scope, board_id, id), toRule),
        list: (scope, board_id, page) =>
          Effect.zipRight(
            widgets.checkBoard(scope, board_id),
            Effect.map(store.listRules(scope, board_id, page), ({ items, total }) => ({
              ...page,
              items: items.map(toRule),
              total
            }))
          ),
        patch,
        remove: (scope, board_id, id) =>
          Effect.asVoid(
            transactions.run(Effect.zipRight(find(scope, board_id, id), store.removeRule(scope, id)))
          ),
        removeOfWidgets: store.removeRulesOf,
        deliveries: Effect.fn("NotificationRules.deliveries")(function*(scope, board_id, id, page) {
          yield* find(scope, board_id, id)
          const now = yield* Clock.currentTimeMillis
          const { items, total } = yield* store.listDeliveries(scope, id, page)
          return { ...page, items: items.map((delivery) => toDeliveryItem(delivery, now)), total }
        })
      })
    })
  )
}

/** An empty list means no recipients. */
const recipientsOf = (recipients: ReadonlyArray<string> | null) =>
  recipients !== null && Array.isNonEmptyReadonlyArray(recipients) ? recipients : null

/** Null leaves required fields unchanged. */
const isEmptyPatch = ({ cron, enabled, ...others }: PatchRule): boolean =>
  cron == null && enabled == null && Object.values(others).every((value) => value === undefined)

const patchedFields = (body: PatchRule) => ({
  ...(body.name === undefined ? {} : { name: body.name }),
  ...(body.slack_channel_name === undefined ? {} : { slack_channel_name: body.slack_channel_name }),
  ...(body.email_recipients === undefined ? {} : { email_recipients: recipientsOf(body.email_recipients) })
})
