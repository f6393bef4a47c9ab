import type { AttemptEvidence } from "../Evidence.js"
import { attemptRule, type Rule, unless } from "../Rule.js"

const oneDial = attemptRule(
  "an attempt is dialled at most once",
  ({ dialled, id }) => dialled.slice(1).map(({ call, seq }) => ({ seq, message: `${id} was dialled again: ${call}` }))
)

const intentFirst = attemptRule(
  "an attempt is dialled only between its stored claim and its end",
  ({ requested, claimed, ended, id, withdrawn }) =>
    requested.flatMap((request) => {
      const intent = claimed.find(({ seq }) => seq < request.seq)
      const settled = [...ended, ...withdrawn].find(({ seq }) => seq < request.seq)
      return [
        ...unless(intent !== undefined, request.seq, `${id} was dialled without an intent`),
        ...unless(settled === undefined, request.seq, `${id} was dialled though it was ${settled?.kind}`),
        ...unless(
          intent === undefined ||
            (intent.number === request.number && intent.from === request.from &&
              intent.connection === request.connection),
          request.seq,
          `${id} was dialled otherwise than intended`
        )
      ]
    })
)

const withdrawnNotDialled = attemptRule(
  "a withdrawn attempt was never dialled",
  ({ dialled, id, withdrawn }) =>
    withdrawn.flatMap(({ seq }) => unless(dialled.length === 0, seq, `${id} was withdrawn, and dialled`))
)

/** Compares with the lines of the campaign at the time of the claim. */
const ownLines = attemptRule(
  "a campaign dials from its own lines",
  ({ claimed, id }, evidence) =>
    claimed.flatMap(({ campaign, connection, from, seq }) => {
      if (campaign === null) return []
      const lines = evidence.campaignAt(campaign, seq)?.lines ?? []
      const known = lines.some((line) => line.connection === connection && line.numbers.includes(from))
      return unless(known, seq, `${id} is from a line that its campaign does not have`)
    })
)

/** Position at which an attempt ended or was withdrawn. */
const settledAt = ({ ended, withdrawn }: AttemptEvidence): number =>
  Math.min(...[...ended, ...withdrawn].map(({ seq }) => seq), Number.POSITIVE_INFINITY)

const oneAtATime: Rule = {
  name: "a campaign calls each contact at most once at a time",
  breaches: ({ attempts, contacts }) =>
    Array.from(contacts.keys()).flatMap((contact) => {
      const own = attemptsOf(attempts.values(), contact)
      return own.slice(1).flatMap(({ id, seq }, index) => {
        const before = own[index]
        return unless(before === undefined || settledAt(before.attempt) < seq, seq, `${id} began too early`)
      })
    })
}

const unknownStays: Rule = {
  name: "a contact with an unknown outcome is not called again",
  breaches: ({ attempts, contacts }) =>
    Array.from(contacts.keys()).flatMap((contact) => {
      const own = attemptsOf(attempts.values(), contact)
      const lost = own.find(({ attempt }) => attempt.ended.some(({ reason }) => reason?.startsWith("unknown") === true))
      return own.filter(({ seq }) => lost !== undefined && seq > lost.seq)
        .map(({ id, seq }) => ({ seq, message: `${id} follows an unknown one` }))
    })
}

/** Attempts of a contact that were not withdrawn, in the order of their claims. */
export const attemptsOf = (all: Iterable<AttemptEvidence>, contact: string) =>
  Array.from(all).flatMap((attempt) => {
    const [claim] = attempt.claimed
    return claim !== undefined && `${claim.campaign} ${claim.number}` === contact && attempt.withdrawn.length === 0
      ? [{ id: attempt.id, seq: claim.seq, claim, attempt }]
      : []
  }).sort((a, b) => a.seq - b.seq)

/** Rules about single dials. */
export const dialRules: ReadonlyArray<Rule> = [
  oneDial,
  intentFirst,
  withdrawnNotDialled,
  ownLines,
  oneAtATime,
  unknownStays
]
