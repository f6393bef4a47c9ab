import { NotFound } from "@trunkline/errors"
import { type AttemptId, type CampaignId, type Scope, Transactions } from "@trunkline/kernel"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { WebhookDelivery } from "../delivery/WebhookDelivery.js"
import { WebhookOwners } from "../delivery/WebhookOwners.js"
import { Outbox } from "../outbox/Outbox.js"
import {
  cursorOf,
  defaultDeliveries,
  type DeliveriesPage,
  type DeliveriesQuery,
  deliveryRecordOf
} from "./DeliveryRecord.js"

/** Webhooks of a campaign, delivered or not. Fails with `NotFound` for campaigns of other workspaces. */
export class WebhookDeliveries extends Context.Tag("@trunkline/webhooks/WebhookDeliveries")<WebhookDeliveries, {
  /** Lists a page of webhooks, newest attempt first. */
  readonly list: (
    scope: Scope,
    campaign: CampaignId,
    query: Partial<DeliveriesQuery>
  ) => Effect.Effect<DeliveriesPage, NotFound>
  /**
   * Sends the webhooks of attempts again with the same ids and bytes and the full schedule, whether they are delivered,
   * given up or pending. Enables their endpoint. Skips webhooks that are being sent and ids without a webhook in the
   * campaign.
   */
  readonly resend: (
    scope: Scope,
    campaign: CampaignId,
    attempt_ids: ReadonlyArray<AttemptId>
  ) => Effect.Effect<void, NotFound>
}>() {
  static readonly layer = Layer.effect(
    WebhookDeliveries,
    Effect.gen(function*() {
      const outbox = yield* Outbox
      const owners = yield* WebhookOwners
      const delivery = yield* WebhookDelivery
      const transactions = yield* Transactions

      const requireCampaign = (scope: Scope, id: CampaignId) =>
        Effect.flatMap(
          owners.find(scope, { kind: "campaign", id }),
          Option.match({
            onNone: () => Effect.fail(new NotFound({ resource: "campaign", id })),
            onSome: () => Effect.void
          })
        )

      const list = Effect.fn("WebhookDeliveries.list")(function*(
        scope: Scope,
        campaign_id: CampaignId,
        query: Partial<DeliveriesQuery>
      ) {
        const { after, attempt_id, before, end_datetime, limit = defaultDeliveries, start_datetime, status } = query
        yield* requireCampaign(scope, campaign_id)
        const now = yield* Clock.currentTimeMillis
        const rows = yield* outbox.listByCampaign({
          scope,
          campaign_id,
          limit: limit + 1,
          ...(after && { after }),
          ...(before && { before }),
          ...(start_datetime && { from: start_datetime.epochMillis }),
          ...(end_datetime && { to: end_datetime.epochMillis }),
          ...(attempt_id && { attempt_id }),
          ...(status && { status: { is: status, now } })
        })
        const hasMore = rows.length > limit
        const shownWebhooks = before === undefined ? rows.slice(0, limit) : rows.slice(-limit)
        const [first, last] = [shownWebhooks[0], shownWebhooks.at(-1)]
        const hasOlder = before === undefined ? hasMore : true
        const hasNewer = before === undefined ? after !== undefined : hasMore
        return {
          items: shownWebhooks.map((row) => deliveryRecordOf(row, now)),
          limit,
          cursors: {
            after: last !== undefined && hasOlder ? cursorOf(last) : null,
            before: first !== undefined && hasNewer ? cursorOf(first) : null
          }
        }
      })

      const resend = Effect.fn("WebhookDeliveries.resend")(
        function*(scope: Scope, campaign_id: CampaignId, attempt_ids: ReadonlyArray<AttemptId>) {
          yield* requireCampaign(scope, campaign_id)
          const now = yield* Clock.currentTimeMillis
          yield* transactions.run(outbox.replay({ scope, campaign_id, attempt_ids, now }))
          yield* delivery.nudge
        }
      )

      return WebhookDeliveries.of({ list, resend })
    })
  )
}
