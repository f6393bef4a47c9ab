import type { ResultSeen } from "../History.js"
import { ofAttempts, type Rule, unless } from "../Rule.js"

const agree = (a: ResultSeen, b: ResultSeen) =>
  a.completion === b.completion && a.connectivity === b.connectivity && a.next === b.next

const oneEach = ofAttempts(
  "every ended attempt has one webhook, with its own id, kept together with its result",
  ({ claimed, ended: [ended], id, queued, recorded }) => {
    const wanted = [...recorded, ...claimed].some(({ webhook }) => webhook)
    if (ended === undefined || !wanted) {
      return queued.map(({ seq }) => ({ seq, what: `${id} has a webhook that it should not have` }))
    }
    return [
      ...unless(queued.length === 1, ended.seq, `${id} has ${queued.length} webhooks`),
      ...queued.flatMap(({ at, life, seq, webhook }) => [
        ...unless(webhook === `att_${id}`, seq, `${id} has the webhook id ${webhook}`),
        ...unless(at === ended.at && life === ended.life, seq, `the webhook of ${id} was not kept with its result`)
      ])
    ]
  }
)

const sameBytes = ofAttempts(
  "a webhook has the same id and bytes on every try",
  ({ id, posted, queued: [queued] }) =>
    posted.flatMap(({ hash, seq, webhook }) => [
      ...unless(queued !== undefined && queued.seq < seq, seq, `a webhook of ${id} was sent before it was kept`),
      ...unless(queued?.webhook === webhook, seq, `a webhook of ${id} was sent as ${webhook}`),
      ...unless(queued?.hash === hash, seq, `a webhook of ${id} was sent with other bytes`)
    ])
)

/** Those of single calls have other words, and nothing that comes next. */
const truthful = ofAttempts(
  "a webhook tells the result that was kept",
  ({ claimed, ended: [ended], id, posted, queued }) =>
    [...queued, ...posted].filter(() => claimed.some(({ campaign }) => campaign !== null)).flatMap((told) =>
      unless(
        ended !== undefined && agree(told, ended),
        told.seq,
        `the webhook of ${id} tells ${told.next} as what is next`
      )
    )
)

const gotThrough = ({ status }: { readonly status: number | null }) => status !== null && status >= 200 && status < 300

const arrives = ofAttempts(
  "every webhook arrives",
  ({ id, posted, queued }) =>
    queued.flatMap(({ seq }) => unless(posted.some(gotThrough), seq, `the webhook of ${id} never arrived`))
)

const once = ofAttempts("a webhook that arrived is sent again only after a crash", ({ id, posted }) => {
  const arrived = posted.find(gotThrough)
  return posted.filter((post) => arrived !== undefined && post.seq > arrived.seq && post.life === arrived.life)
    .map(({ seq }) => ({ seq, what: `the webhook of ${id} was sent again though it had arrived` }))
})

/** What must hold of webhooks. */
export const webhookRules: ReadonlyArray<Rule> = [oneEach, sameBytes, truthful, arrives, once]
