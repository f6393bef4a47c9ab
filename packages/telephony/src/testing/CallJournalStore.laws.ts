import { assert, layer } from "@effect/vitest"
import { AttemptId, InteractionId, Transactions } from "@trunkline/kernel"
import { Effect, Exit, type Layer } from "effect"
import { CallJournalStore, type JournalEntry } from "../journal/CallJournalStore.js"

const speech = (en_text: string): JournalEntry => ({
  _tag: "Turn",
  turn: { role: "user", en_text, indic_text: "नमस्ते — \"जी\" 🙏", language_name: "Hindi", at: 1_767_225_600_123.5 }
})

const answered: JournalEntry = {
  _tag: "Answered",
  interaction_id: InteractionId.make("interaction-1"),
  started_at: 1_767_225_600_000
}

/** Laws of `CallJournalStore`. Each law uses its own attempts, so one layer can serve all laws. */
export const callJournalStoreLaws = <E>(name: string, live: Layer.Layer<CallJournalStore | Transactions, E>) =>
  layer(live)(`CallJournalStore laws: ${name}`, (it) => {
    it.effect("returns the entries of an attempt in the order in which they were added", () =>
      Effect.gen(function*() {
        const store = yield* CallJournalStore
        const [one, other] = [AttemptId.make("journal-one"), AttemptId.make("journal-other")]
        const entries: ReadonlyArray<JournalEntry> = [
          { _tag: "Signalling", state: "{\"O'Neil\":\"ü\"}" },
          answered,
          speech("Yes."),
          speech("Yes.")
        ]
        yield* store.append([
          ...entries.slice(0, 2).map((entry) => ({ attempt_id: one, entry })),
          { attempt_id: other, entry: speech("Somebody else.") }
        ])
        yield* store.append(entries.slice(2).map((entry) => ({ attempt_id: one, entry })))
        yield* store.append([])
        assert.deepStrictEqual(yield* store.ofAttempt(one), entries)
        assert.deepStrictEqual(yield* store.ofAttempt(other), [speech("Somebody else.")])
        assert.deepStrictEqual(yield* store.ofAttempt(AttemptId.make("journal-none")), [])
      }))

    it.effect("removes the entries of some attempts and no others", () =>
      Effect.gen(function*() {
        const store = yield* CallJournalStore
        const ids = ["gone-1", "gone-2", "kept"].map((id) => AttemptId.make(`journal-${id}`))
        yield* store.append(ids.map((attempt_id) => ({ attempt_id, entry: answered })))
        yield* store.remove([...ids.slice(0, 2), AttemptId.make("journal-never")])
        yield* store.remove([])
        assert.deepStrictEqual(yield* Effect.forEach(ids, store.ofAttempt), [[], [], [answered]])
      }))

    it.effect("keeps many lines of one batch in order", () =>
      Effect.gen(function*() {
        const store = yield* CallJournalStore
        const attempt_id = AttemptId.make("journal-long")
        const entries = Array.from({ length: 450 }, (_, index) => speech(`Turn ${index}`))
        yield* store.append(entries.map((entry) => ({ attempt_id, entry })))
        assert.deepStrictEqual(yield* store.ofAttempt(attempt_id), entries)
      }))

    it.effect("joins the current transaction", () =>
      Effect.gen(function*() {
        const store = yield* CallJournalStore
        const transactions = yield* Transactions
        const [kept, never] = [AttemptId.make("journal-before"), AttemptId.make("journal-never-added")]
        yield* store.append([{ attempt_id: kept, entry: answered }])
        const change = Effect.zipRight(
          store.append([{ attempt_id: never, entry: answered }]),
          store.remove([kept])
        )
        const exit = yield* Effect.exit(transactions.run(Effect.zipRight(change, Effect.die("rolled back"))))
        assert.isTrue(Exit.isFailure(exit))
        assert.deepStrictEqual(yield* store.ofAttempt(kept), [answered])
        assert.deepStrictEqual(yield* store.ofAttempt(never), [])
      }))
  })
