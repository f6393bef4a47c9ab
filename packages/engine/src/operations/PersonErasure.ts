import { CallRecords, Recordings } from "@trunkline/analytics"
import { FileStore } from "@trunkline/cohorts"
import { type AttemptId, PersonData, type PhoneNumber, RetainedData, type Scope, Transactions } from "@trunkline/kernel"
import { CallTraces } from "@trunkline/replay/trace"
import { FactsLog } from "@trunkline/warehouse"
import { Clock, Context, DateTime, Effect, Layer, Option } from "effect"

/** Proof of an erasure. It holds neither the number nor any other personal data. */
export interface ErasureReceipt {
  /** Last four digits of the number. */
  readonly phone_ending: string
  readonly workspace: string
  /** Real time, in ISO 8601. */
  readonly erased_at: string
  /** Rows that were erased. */
  readonly erased: {
    /** Records of calls, with their transcripts, recordings and facts. */
    readonly calls: number
    readonly attempts: number
    readonly webhooks: number
    /** Contacts of campaigns, which stay in counts without their number and variables. */
    readonly contacts: number
    readonly cohort_rows: number
    readonly dials: number
    /** Uploaded files of cohorts that listed the number, which are removed as a whole. */
    readonly files: number
  }
  /** Work that goes on, and so was left alone. */
  readonly open: { readonly attempts: number; readonly contacts: number; readonly webhooks: number }
  /** True when nothing was left. Blocked numbers stay in any case, since they keep the person from being called. */
  readonly complete: boolean
}

/** Erases persons by phone number. */
export class PersonErasure extends Context.Tag("@trunkline/engine/PersonErasure")<PersonErasure, {
  /**
   * Erases all that a workspace holds of a phone number: records of calls with their transcripts, recordings, traces and facts, attempts,
   * webhooks, contacts, rows and uploaded files of cohorts. What is still open stays, and the receipt counts it: repeat the
   * erasure once it is over. It can be interrupted between records; a repetition then erases the rest.
   */
  readonly person: (scope: Scope, phone: PhoneNumber) => Effect.Effect<ErasureReceipt>
}>() {
  static readonly layer = Layer.effect(
    PersonErasure,
    Effect.gen(function*() {
      const people = yield* PersonData
      const retainedData = yield* RetainedData
      const calls = yield* CallRecords
      const facts = yield* FactsLog
      const files = yield* FileStore
      const recordings = yield* Recordings
      const traces = yield* CallTraces
      const transactions = yield* Transactions

      /** Calls of the number: those of its attempts, and of the identifiers that it has, which others may have too. */
      const callsOf = (
        scope: Scope,
        phone: PhoneNumber,
        attempts: ReadonlyArray<AttemptId>,
        identifiers: ReadonlyArray<string>
      ) =>
        Effect.gen(function*() {
          const callsOfUser = yield* Effect.forEach(identifiers, (name) => calls.ofUser(scope, name))
          const ids = new Set([...attempts, ...callsOfUser.flat().map(({ attempt_id }) => attempt_id)])
          // Each record is read and forgotten, since an identifier may have very many, with their transcripts.
          const records = yield* Effect.forEach(ids, (id) =>
            Effect.map(
              calls.find(scope, id),
              Option.match({
                onNone: () => [],
                onSome: ({ record: { attempt_id, conversation, user_contact } }) =>
                  user_contact === phone ? [{ attempt_id, interaction_id: conversation?.interaction_id ?? null }] : []
              })
            ))
          const personRecords = records.flat()
          const isOwn = new Set(personRecords.map(({ attempt_id }) => attempt_id))
          /** Identifiers that nobody else has. */
          const alone = identifiers.filter((_, index) =>
            (callsOfUser[index] ?? []).every(({ attempt_id }) => isOwn.has(attempt_id))
          )
          return { own: personRecords, alone }
        })

      return PersonErasure.of({
        person: Effect.fn("PersonErasure.person")((scope: Scope, phone: PhoneNumber) =>
          Effect.gen(function*() {
            const person = yield* people.find(scope, phone)
            const { alone, own: records } = yield* callsOf(scope, phone, person.attempts, person.identifiers)
            yield* Effect.forEach(
              records,
              ({ interaction_id }) =>
                interaction_id === null
                  ? Effect.void
                  : Effect.uninterruptible(recordings.remove(scope, interaction_id)),
              { discard: true }
            )
            // An attempt without a record of a call has a trace too, when its process stopped between the two.
            yield* Effect.forEach(
              new Set([...person.attempts, ...records.map(({ attempt_id }) => attempt_id)]),
              (attempt_id) => Effect.uninterruptible(traces.remove(scope, attempt_id)),
              { discard: true }
            )
            const keys = person.cohorts.flatMap((id) => cohortFiles.map((type) => `${id}/${type}`))
            const storedKeys = yield* Effect.filter(keys, (key) => Effect.map(files.size(key), Option.isSome))
            yield* Effect.forEach(storedKeys, (key) => Effect.uninterruptible(files.remove(key)), { discard: true })
            // Rows that lead to recordings and files are erased last and at once, so that an interrupted erasure can be repeated.
            const removal = yield* Effect.uninterruptible(transactions.run(Effect.gen(function*() {
              const rows = records.map(({ attempt_id, interaction_id }) => ({ id: attempt_id, interaction_id, at: 0 }))
              yield* retainedData.remove(scope, "calls", rows)
              yield* Effect.forEach(alone, (name) => facts.erase(scope, name), { discard: true })
              return yield* people.remove(scope, phone, person)
            })))
            const { attempts, contacts, webhooks } = person.open
            return {
              phone_ending: phone.slice(-4),
              workspace: `${scope.org_id}/${scope.workspace_id}`,
              erased_at: DateTime.formatIso(DateTime.unsafeMake(yield* Clock.currentTimeMillis)),
              erased: { calls: records.length, ...removal, files: storedKeys.length },
              open: person.open,
              complete: attempts + contacts + webhooks === 0
            }
          })
        )
      })
    })
  )
}

/** Uploaded and rejected rows of a cohort. */
const cohortFiles = ["cohort", "rejected_records"]
