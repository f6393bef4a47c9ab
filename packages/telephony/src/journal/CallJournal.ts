import { type AttemptId, type InteractionId, retryForever, Transactions } from "@trunkline/kernel"
import { Context, Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { LRUCache } from "lru-cache"
import type { TranscriptTurn } from "../call/CallHandler.js"
import { CallJournalStore, type JournalEntry, type JournalLine } from "./CallJournalStore.js"

/** Knowledge of a call whose process stopped. */
export interface CallNotes {
  /** Text by which its carrier ends it; null where it keeps nothing. */
  readonly signalling: string | null
  /** Its conversation as far as it was stored; null when it was not answered, as far as is known. */
  readonly conversation: {
    readonly interaction_id: InteractionId
    /** Epoch milliseconds of business time. */
    readonly started_at: number
    readonly transcript: ReadonlyArray<TranscriptTurn>
  } | null
  /** Logs of the conversation and of its leg; empty where the call ends with its process. */
  readonly steps: ReadonlyArray<string>
  readonly line: ReadonlyArray<string>
  /** Moments at which other processes went on with it. */
  readonly resumed_at: ReadonlyArray<number>
}

/** Knowledge of a call of which nothing is known. */
export const noCallNotes: CallNotes = { signalling: null, conversation: null, steps: [], line: [], resumed_at: [] }

/**
 * Notes of calls that go on, for the case that the process stops: they are stored together a second after the first of them, or
 * at once where one of them is kept, and are removed in the transaction that ends the attempt. An entry is `pending`, then `writing` while its batch is being
 * stored, then `stored`. `close` drops what is pending and waits for what is being written, so that no entry is left behind;
 * an entry that comes after it is dropped. A call that is over within the second is never written.
 */
export class CallJournal extends Context.Tag("@trunkline/telephony/CallJournal")<CallJournal, {
  /** Notes an entry, to be stored soon. */
  readonly note: (id: AttemptId, entry: JournalEntry) => Effect.Effect<void>
  /** Notes an entry and stores it, with all that was noted before; entries that are kept at the same time share a write. */
  readonly keep: (id: AttemptId, entry: JournalEntry) => Effect.Effect<void>
  /** Reads the notes that earlier processes have stored of a call. */
  readonly read: (id: AttemptId) => Effect.Effect<CallNotes>
  /** Reads the notes of a call that goes on, with those that this process has not stored yet; of turns, those that are over. */
  readonly present: (id: AttemptId) => Effect.Effect<CallNotes>
  /** Notes no more of an attempt that is about to end. */
  readonly close: (id: AttemptId) => Effect.Effect<void>
  /** Removes the entries of attempts, in the current transaction. */
  readonly remove: (ids: ReadonlyArray<AttemptId>) => Effect.Effect<void>
  /** Forgets attempts once the transaction that removed their entries is committed. */
  readonly forget: (ids: ReadonlyArray<AttemptId>) => void
}>() {
  static readonly layer = Layer.scoped(
    CallJournal,
    Effect.gen(function*() {
      const store = yield* CallJournalStore
      const transactions = yield* Transactions
      const scope = yield* Effect.scope
      const pending = new Map<AttemptId, Array<JournalEntry>>()
      const storedAttemptIds = new Set<AttemptId>()
      const closedAttemptIds = new LRUCache<AttemptId, true>({ max: maxClosed })
      let writing: { readonly ids: ReadonlySet<AttemptId>; readonly done: Deferred.Deferred<void> } | null = null
      let isScheduled = false

      const write = Effect.gen(function*() {
        isScheduled = false
        const lines = Array.from(
          pending,
          ([attempt_id, entries]) => entries.map((entry): JournalLine => ({ attempt_id, entry }))
        ).flat()
        if (lines.length === 0) return
        const ids = new Set(pending.keys())
        const done = yield* Deferred.make<void>()
        writing = { ids, done }
        pending.clear()
        ids.forEach((id) => storedAttemptIds.add(id))
        yield* retryAppend(transactions.runGuarded(store.append(lines)))
        writing = null
        yield* Deferred.succeed(done, undefined)
      })

      /** One batch after the other. */
      const turns = yield* Effect.makeSemaphore(1)
      const schedule = Effect.suspend(() => {
        if (isScheduled) return Effect.void
        isScheduled = true
        return Effect.forkIn(Effect.delay(turns.withPermits(1)(write), writeAfter), scope)
      })

      /** Returns false for an attempt that is about to end. */
      const add = (id: AttemptId, entry: JournalEntry): boolean => {
        if (closedAttemptIds.has(id)) return false
        const entries = pending.get(id)
        if (entries === undefined) pending.set(id, [entry])
        else entries.push(entry)
        return true
      }

      /** Writes what is pending, after the present batch. It goes on when nobody waits for it any more. */
      const writeNow = Effect.flatMap(Effect.forkIn(turns.withPermits(1)(write), scope), Fiber.join)

      return CallJournal.of({
        note: (id, entry) => Effect.suspend(() => add(id, entry) ? schedule : Effect.void),
        keep: (id, entry) => Effect.suspend(() => add(id, entry) ? writeNow : Effect.void),
        read: (id) =>
          Effect.map(store.ofAttempt(id), (entries) => {
            if (entries.length > 0) storedAttemptIds.add(id)
            return knownCall(entries)
          }),
        present: (id) =>
          // No batch is on its way while a turn of it may be in neither place.
          turns.withPermits(1)(Effect.map(store.ofAttempt(id), (entries) => {
            const log = [...entries, ...pending.get(id) ?? []]
            return knownCall(log.filter(({ _tag }) => _tag !== "Saying"))
          })),
        close: (id) =>
          Effect.suspend(() => {
            if (!pending.delete(id) && !storedAttemptIds.has(id)) return Effect.void
            closedAttemptIds.set(id, true)
            return writing?.ids.has(id) === true ? Deferred.await(writing.done) : Effect.void
          }),
        remove: (ids) =>
          Effect.suspend(() => {
            const writtenAttemptIds = storedAttemptIds.size === 0 ? [] : ids.filter((id) => storedAttemptIds.has(id))
            return writtenAttemptIds.length === 0 ? Effect.void : store.remove(writtenAttemptIds)
          }),
        forget: (ids) => {
          if (storedAttemptIds.size > 0) ids.forEach((id) => storedAttemptIds.delete(id))
        }
      })
    })
  )
}

/** Time from the first entry to the write of its batch, which is lost in a crash. */
const writeAfter = Duration.seconds(1)

/** Closed attempts that are remembered, for entries that come late. */
const maxClosed = 1_000

/** Retries while the database is away. */
const retryAppend = retryForever({
  message: "The notes of calls in progress could not be stored",
  initialDelay: "250 millis",
  maxDelay: "5 seconds"
})

const knownCall = (entries: ReadonlyArray<JournalEntry>): CallNotes => {
  const signalling = entries.findLast((entry) => entry._tag === "Signalling")?.state ?? null
  const start = entries.findLast((entry) => entry._tag === "Answered")
  const logs = {
    steps: entries.flatMap((entry) => entry._tag === "Step" ? [entry.text] : []),
    line: entries.flatMap((entry) => entry._tag === "Line" ? [entry.text] : []),
    resumed_at: entries.flatMap((entry) => entry._tag === "Resumed" ? [entry.at] : [])
  }
  const last = entries.findLast(({ _tag }) => _tag === "Turn" || _tag === "Saying")
  const transcript = entries.flatMap((entry) =>
    entry._tag === "Turn" || (entry._tag === "Saying" && entry === last) ? [entry.turn] : []
  )
  if (start === undefined) return { signalling, conversation: null, ...logs }
  const { interaction_id, started_at } = start
  return { signalling, conversation: { interaction_id, started_at, transcript }, ...logs }
}
