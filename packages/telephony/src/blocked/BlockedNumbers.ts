import { NotFound } from "@trunkline/errors"
import {
  BusinessTime,
  maskPhone,
  type PageRequest,
  type PhoneNumber,
  type Scope,
  Transactions
} from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import { type BlockedNumber, BlockedNumbersStore, type BlockNumbers } from "./BlockedNumbersStore.js"

/** `failure_reason` of an attempt to call a blocked number. */
export const blockedNumber = "blocked_number"

/** Do-not-call list of a workspace. */
export class BlockedNumbers extends Context.Tag("@trunkline/telephony/BlockedNumbers")<BlockedNumbers, {
  /**
   * Blocks numbers from now on and returns their entries, each number once. A number that is already blocked keeps its
   * reason, date and author.
   */
  readonly add: (
    scope: Scope,
    body: BlockNumbers,
    actor: string
  ) => Effect.Effect<ReadonlyArray<BlockedNumber>>
  /** Unblocks a number. */
  readonly remove: (scope: Scope, number: PhoneNumber) => Effect.Effect<void, NotFound>
  /** One page of the list, newest first, and the total. */
  readonly list: (
    scope: Scope,
    page: Pick<PageRequest, "limit" | "offset">
  ) => Effect.Effect<{ readonly items: ReadonlyArray<BlockedNumber>; readonly total: number }>
  /** The blocked ones among the given numbers. */
  readonly filterBlocked: (scope: Scope, numbers: ReadonlyArray<PhoneNumber>) => Effect.Effect<ReadonlySet<PhoneNumber>>
}>() {
  static readonly layer = Layer.effect(
    BlockedNumbers,
    Effect.gen(function*() {
      const store = yield* BlockedNumbersStore
      const transactions = yield* Transactions
      return BlockedNumbers.of({
        add: Effect.fn("BlockedNumbers.add")(function*(scope, { phone_numbers, reason }, created_by) {
          const created_at = yield* BusinessTime.date
          const numbers = Array.from(new Set(phone_numbers))
          const rows = numbers.map((phone_number) => ({ phone_number, reason, created_at, created_by }))
          const entries = yield* transactions.run(Effect.zipRight(store.add(scope, rows), store.find(scope, numbers)))
          const byNumber = new Map(entries.map((row) => [row.phone_number, row]))
          return numbers.flatMap((number) => byNumber.get(number) ?? [])
        }),
        remove: Effect.fn("BlockedNumbers.remove")(function*(scope, number) {
          if (!(yield* store.remove(scope, number))) {
            return yield* new NotFound({ resource: "blocked number", id: maskPhone(number) })
          }
        }),
        list: store.list,
        filterBlocked: (scope, numbers) =>
          Effect.map(store.find(scope, numbers), (rows) => new Set(rows.map(({ phone_number }) => phone_number)))
      })
    })
  )
}
