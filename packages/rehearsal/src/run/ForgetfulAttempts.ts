import type { AttemptId } from "@trunkline/kernel"
import { type Attempt, AttemptStore } from "@trunkline/telephony"
import { Effect, Layer, Option } from "effect"
import { CallBook } from "./CallBook.js"

const yes = Effect.succeed(true)
const no = Effect.succeed(false)

/**
 * Keeps attempts in memory until they end, and then forgets them, so that a rehearsal of a million calls has room. It
 * undoes nothing: see `plainTransactions`.
 */
export const forgetfulAttempts = Layer.effect(
  AttemptStore,
  Effect.map(CallBook, ({ attempts }) => {
    const move = (id: AttemptId, from: Attempt["state"], change: Partial<Attempt>) =>
      Effect.suspend(() => {
        const attempt = attempts.get(id)
        if (attempt?.state !== from) return no
        attempts.set(id, { ...attempt, ...change })
        return yes
      })

    return AttemptStore.of({
      insert: (attempt) => Effect.sync(() => void attempts.set(attempt.attempt_id, attempt)),
      claim: (id, attempted_at) => move(id, "pending", { state: "claimed", attempted_at }),
      accept: (id, provider_call_id) => move(id, "claimed", { state: "accepted", provider_call_id }),
      end: (id, result) =>
        Effect.sync(() => {
          const attempt = attempts.get(id)
          if (attempt === undefined) return Option.none()
          attempts.delete(id)
          return Option.some({ ...attempt, state: "ended", result })
        }),
      withdraw: (id) => Effect.sync(() => attempts.get(id)?.state === "claimed" && attempts.delete(id)),
      find: (id) => Effect.sync(() => Option.fromNullable(attempts.get(id))),
      unfinished: Effect.sync(() => [...attempts.values()])
    })
  })
)
