import { BoardsFailure, Invalid, NotFound } from "@trunkline/errors"
import { BusinessTime, Ids, type Scope, Transactions, WebAddressRules } from "@trunkline/kernel"
import { Array, Clock, Context, DateTime, Effect, Layer, Option } from "effect"
import { type DeliveryItem, deliveryItem } from "../delivery/Delivery.js"
import { type ListPage, NotificationStore } from "../schedule/NotificationStore.js"
import { Scheduler } from "../schedule/Scheduler.js"
import { chatAddressIssue, NotificationOptions } from "./ChatAddress.js"
import { readCron } from "./Cron.js"
import { channelsOf, NotificationRule, RuleId } from "./NotificationRule.js"
import { ReportedWidgets } from "./ReportedWidgets.js"
import { type CreateRule, type PatchRule, type Rule, ruleOf } from "./Rule.js"
import { Sealer } from "./Sealer.js"

/** The most rules of one board. */
export const MAX_RULES_PER_BOARD = 100

/** A part of a list, as boards have it (shapes 7.1). */
export interface ListOf<A> extends ListPage {
  readonly items: ReadonlyArray<A>
  readonly total: number
}

/** Why a rule cannot be made or changed: `Invalid` is a 422, `BoardsFailure` a 400 with its code. */
export type RuleRefused = BoardsFailure | Invalid | NotFound

/** Rules by which widgets of boards are reported (specification, Create notification rule). */
export class NotificationRules extends Context.Tag("@trunkline/notifications/NotificationRules")<NotificationRules, {
  /**
   * Begins enabled. `INVALID_CRON`, `CRON_TOO_FREQUENT`, `NO_DELIVERY_CHANNEL`, `WIDGET_NOT_ON_BOARD`, or
   * `INVALID_REQUEST` when the board has 100 rules.
   */
  readonly create: (scope: Scope, board_id: string, body: CreateRule) => Effect.Effect<Rule, RuleRefused>
  readonly get: (scope: Scope, board_id: string, rule_id: RuleId) => Effect.Effect<Rule, NotFound>
  /** Newest first. */
  readonly list: (scope: Scope, board_id: string, page: ListPage) => Effect.Effect<ListOf<Rule>, NotFound>
  /** What `PatchRule` says; a rule that is enabled again goes on with its next occurrence (shapes 7.6). */
  readonly patch: (
    scope: Scope,
    board_id: string,
    rule_id: RuleId,
    body: PatchRule
  ) => Effect.Effect<Rule, RuleRefused>
  /** With its history. What is being sent arrives, what waits does not. */
  readonly remove: (scope: Scope, board_id: string, rule_id: RuleId) => Effect.Effect<void, NotFound>
  /** Removes the rules of widgets that a board loses. Joins the running transaction. */
  readonly removeOf: (scope: Scope, board_id: string, widget_ids: ReadonlyArray<string>) => Effect.Effect<void>
  /** The delivery history, newest occurrence first. */
  readonly deliveries: (
    scope: Scope,
    board_id: string,
    rule_id: RuleId,
    page: ListPage
  ) => Effect.Effect<ListOf<DeliveryItem>, NotFound>
}>() {
  static readonly layer = Layer.effect(
    NotificationRules,
    Effect.gen(function*() {
      const store = yield* NotificationStore
      const widgets = yield* ReportedWidgets
      const scheduler = yield* Scheduler
      const sealer = yield* Sealer
      const transactions = yield* Transactions
      const ids = yield* Ids
      const { chatHosts } = yield* NotificationOptions
      const { allowInsecureUrls } = yield* WebAddressRules

      /** Seals the address of a chat webhook; the outside of a transaction is the place for it. */
      const sealed = (address: string | null) => {
        const issue = address === null ? null : chatAddressIssue(address, { allowInsecureUrls, chatHosts })
        if (issue !== null) return Effect.fail(Invalid.at(["body", "slack_webhook_url"], "url_parsing", issue))
        return address === null ? Effect.succeed(null) : sealer.seal(address)
      }

      const find = (scope: Scope, board_id: string, id: RuleId) =>
        store.findRule(scope, id).pipe(
          Effect.map(Option.filter((rule) => rule.board_id === board_id)),
          Effect.flatMap(Option.match({
            onNone: () => Effect.fail(new NotFound({ resource: "notification rule", id })),
            onSome: Effect.succeed
          }))
        )

      const checkChannels = (rule: NotificationRule) =>
        channelsOf(rule).length > 0 ? Effect.void : new BoardsFailure({
          code: "NO_DELIVERY_CHANNEL",
          message: "A rule needs at least one recipient or a chat webhook"
        })

      const checkRoom = (scope: Scope, board_id: string) =>
        Effect.flatMap(
          store.listRules(scope, board_id, { limit: 1, offset: 0 }),
          ({ total }) =>
            total < MAX_RULES_PER_BOARD ? Effect.void : new BoardsFailure({
              code: "INVALID_REQUEST",
              message: `A board has at most ${MAX_RULES_PER_BOARD} notification rules`
            })
        )

      const nextRun = (cron: string, now: DateTime.Utc) =>
        Effect.map(
          readCron(cron, now.epochMillis),
          ({ next }) => Option.getOrNull(Option.map(next(now.epochMillis), (at) => DateTime.unsafeMake(at)))
        )

      const create = Effect.fn("NotificationRules.create")(function*(scope: Scope, board_id: string, body: CreateRule) {
        const { cron, email_recipients, name, slack_channel_name, slack_webhook_url, widget_id } = body
        const sealed_slack_webhook = yield* sealed(slack_webhook_url)
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
          widgets.check(scope, board_id, widget_id),
          checkRoom(scope, board_id),
          store.putRule(scope, rule)
        ]))
        yield* scheduler.nudge
        return ruleOf(rule)
      })

      const patch = Effect.fn("NotificationRules.patch")(
        function*(scope: Scope, board_id: string, rule_id: RuleId, body: PatchRule) {
          const before = yield* find(scope, board_id, rule_id)
          if (changesNothing(body)) return ruleOf(before)
          const address = body.slack_webhook_url
          const chat = address === undefined ? {} : { sealed_slack_webhook: yield* sealed(address) }
          const rule = yield* transactions.run(Effect.gen(function*() {
            const before = yield* find(scope, board_id, rule_id)
            const now = yield* BusinessTime.date
            const cron = body.cron ?? before.cron
            const enabled = body.enabled ?? before.enabled
            const isAnew = cron !== before.cron || (enabled && !before.enabled)
            const next_run_at = isAnew ? yield* nextRun(cron, now) : before.next_run_at
            const rule = new NotificationRule({
              ...before,
              ...chat,
              ...namesOf(body),
              cron,
              enabled,
              next_run_at: enabled ? next_run_at : null,
              updated_at: now
            })
            yield* checkChannels(rule)
            yield* store.putRule(scope, rule)
            return rule
          }))
          yield* scheduler.nudge
          return ruleOf(rule)
        }
      )

      return NotificationRules.of({
        create,
        get: (scope, board_id, id) => Effect.map(find(scope, board_id, id), ruleOf),
        list: (scope, board_id, page) =>
          Effect.zipRight(
            widgets.checkBoard(scope, board_id),
            Effect.map(store.listRules(scope, board_id, page), ({ items, total }) => ({
              ...page,
              items: items.map(ruleOf),
              total
            }))
          ),
        patch,
        remove: (scope, board_id, id) =>
          Effect.asVoid(
            transactions.run(Effect.zipRight(find(scope, board_id, id), store.removeRule(scope, id)))
          ),
        removeOf: store.removeRulesOf,
        deliveries: Effect.fn("NotificationRules.deliveries")(function*(scope, board_id, id, page) {
          yield* find(scope, board_id, id)
          const now = yield* Clock.currentTimeMillis
          const { items, total } = yield* store.listDeliveries(scope, id, page)
          return { ...page, items: items.map((delivery) => deliveryItem(delivery, now)), total }
        })
      })
    })
  )
}

/** An empty list is nobody (shapes 7.6). */
const recipientsOf = (recipients: ReadonlyArray<string> | null) =>
  recipients !== null && Array.isNonEmptyReadonlyArray(recipients) ? recipients : null

/** Null leaves what cannot be empty (shapes 0.3). */
const changesNothing = ({ cron, enabled, ...others }: PatchRule): boolean =>
  cron == null && enabled == null && Object.values(others).every((value) => value === undefined)

const namesOf = (body: PatchRule) => ({
  ...(body.name === undefined ? {} : { name: body.name }),
  ...(body.slack_channel_name === undefined ? {} : { slack_channel_name: body.slack_channel_name }),
  ...(body.email_recipients === undefined ? {} : { email_recipients: recipientsOf(body.email_recipients) })
})
