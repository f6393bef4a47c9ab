import { drop, first, follow, type HistoryFault, hour, ofAttempt, twice } from "./Injection.js"

/** Faults in retries, results and webhooks. */
export const outcomeFaults: ReadonlyArray<HistoryFault> = [
  {
    name: "a retry is forgotten",
    rule: "attempts follow the retry policy",
    inject: first("ended", ofAttempt("a1"), (ended) => [{ ...ended, next: null }])
  },
  {
    name: "a retry has the wrong reason",
    rule: "attempts follow the retry policy",
    inject: first("ended", ofAttempt("c1"), (ended) => [{ ...ended, next: "retry" }])
  },
  {
    name: "a retry is due too early",
    rule: "attempts follow the retry policy",
    inject: first(
      "contact",
      ({ attempts, state }) => state === "waiting" && attempts === 1,
      (contact) => [{ ...contact, due: contact.due - 1 }]
    )
  },
  {
    name: "a retry is due at night",
    rule: "attempts follow the retry policy",
    inject: first(
      "contact",
      ({ attempts, state }) => state === "waiting" && attempts === 1,
      (contact) => [{ ...contact, due: contact.due + 12 * hour }]
    )
  },
  {
    name: "a contact is retried too often",
    rule: "attempts follow the retry policy",
    inject: first("ended", ofAttempt("a2"), (ended) => [{ ...ended, next: "retry" }])
  },
  {
    name: "an attempt has the wrong number",
    rule: "attempts follow the retry policy",
    inject: first("claimed", ofAttempt("a2"), (claim) => [{ ...claim, retry: 2 }])
  },
  {
    name: "a retry is claimed before it is due",
    rule: "no contact is called before it is due",
    inject: first("claimed", ofAttempt("a2"), (claim) => [{ ...claim, at: claim.at - 10_000 }])
  },
  {
    name: "a call is reported as connected without an answer",
    rule: "a result matches the records of the provider",
    inject: drop("answered", ofAttempt("c3"))
  },
  {
    name: "an unanswered call is reported as busy",
    rule: "a result matches the records of the provider",
    inject: first("hung up", ofAttempt("a1"), (end) => [{ ...end, how: "no_answer" }])
  },
  {
    name: "a known outcome is reported as unknown",
    rule: "a result matches the records of the provider",
    inject: first("ended", ofAttempt("e1"), (ended) => [
      { ...ended, connectivity: null, next: null, reason: "unknown: lost" }
    ])
  },
  {
    name: "a result has no webhook",
    rule: "every ended attempt has one webhook, with its own id, stored together with its result",
    inject: drop("queued", ofAttempt("a1"))
  },
  {
    name: "an attempt has two webhooks",
    rule: "every ended attempt has one webhook, with its own id, stored together with its result",
    inject: follow("queued", ofAttempt("a1"), (queued) => ({ ...queued, webhook: "att_other" }))
  },
  {
    name: "a webhook is queued a moment after its result",
    rule: "every ended attempt has one webhook, with its own id, stored together with its result",
    inject: first("queued", ofAttempt("a1"), (queued) => [{ ...queued, at: queued.at + 1 }])
  },
  {
    name: "a webhook is sent again with another id",
    rule: "a webhook has the same id and bytes on every try",
    inject: first("posted", ({ attempt, status }) => attempt === "a1" && status === null, (post) => [
      { ...post, webhook: "att_other" }
    ])
  },
  {
    name: "a webhook changes between tries",
    rule: "a webhook has the same id and bytes on every try",
    inject: first("posted", ({ attempt, status }) => attempt === "a1" && status === 200, (post) => [
      { ...post, hash: "other" }
    ])
  },
  {
    name: "a webhook announces a retry that does not exist",
    rule: "a webhook reports the stored result",
    inject: first("posted", ofAttempt("a2"), (post) => [{ ...post, next: "retry" }])
  },
  {
    name: "a webhook is abandoned before its receiver recovers",
    rule: "every webhook arrives",
    inject: drop("posted", ofAttempt("e1"))
  },
  {
    name: "a delivered webhook is sent again",
    rule: "a webhook that arrived is sent again only after a crash",
    inject: twice("posted", ofAttempt("a2"))
  }
]
