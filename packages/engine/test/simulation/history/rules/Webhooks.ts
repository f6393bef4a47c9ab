import type { ResultSnapshot } from "../History.js"
import { attemptRule, type Rule, unless } from "../Rule.js"

const agree = (a: ResultSnapshot, b: ResultSnapshot) =>
  a.completion === b.completion && a.connectivity === b.connectivity && a.next === b.next

const oneEach = attemptRule(
  "every ended attempt has one webhook, with its own id, stored together with its result",
  ({ claimed, ended: [ended], id, queued, recorded }) => {
    const wanted = [...recorded, ...claimed].some(({ webhook }) => webhook)
    if (ended === undefined || !wanted) {
      return queued.map(({ seq }) => ({ seq, message: `${id} has a webhook that it should not have` }))
    }
    return [
      ...unless(queued.length === 1, ended.seq, `${id} has ${queued.length} webhooks`),
      ...queued.flatMap(({ at, life, seq, webhook }) => [
        ...unless(webhook === `att_${id}`, seq, `${id} has the webhook id ${webhook}`),
        ...unless(at === ended.at && life === ended.life, seq, `the webhook of ${id} was not stored with its result`)
      ])
    ]
  }
)

const sameBytes = attemptRule(
  "a webhook has the same id and bytes on every try",
  ({ id, posted, queued: [queued] }) =>
    posted.flatMap(({ hash, seq, webhook }) => [
      ...unless(queued !== undefined && queued.seq < seq, seq, `a webhook of ${id} was sent before it was stored`),
      ...unless(queued?.webhook === webhook, seq, `a webhook of ${id} was sent as ${webhook}`),
      ...unless(queued?.hash === hash, seq, `a webhook of ${id} was sent with other bytes`)
    ])
)

/** Skips single calls, whose webhooks have other fields. */
const truthful = attemptRule(
  "a webhook reports the stored result",
  ({ claimed, ended: [ended], id, posted, queued }) =>
    [...queued, ...posted].filter(() => claimed.some(({ campaign }) => campaign !== null)).flatMap((webhook) =>
      unless(
        ended !== undefined && agree(webhook, ended),
        webhook.seq,
        `the webhook of ${id} reports ${webhook.next} as the next action`
      )
    )
)

const isDelivered = ({ status }: { readonly status: number | null }) => status !== null && status >= 200 && status < 300

const arrives = attemptRule(
  "every webhook arrives",
  ({ id, posted, queued }) =>
    queued.flatMap(({ seq }) => unless(posted.some(isDelivered), seq, `the webhook of ${id} never arrived`))
)

const once = attemptRule("a webhook that arrived is sent again only after a crash", ({ id, posted }) => {
  const arrived = posted.find(isDelivered)
  return posted.filter((post) => arrived !== undefined && post.seq > arrived.seq && post.life === arrived.life)
    .map(({ seq }) => ({ seq, message: `the webhook of ${id} was sent again though it had arrived` }))
})

/** Rules about webhooks. */
export const webhookRules: ReadonlyArray<Rule> = [oneEach, sameBytes, truthful, arrives, once]
