import { MemoryTable, type PageRequest, type PhoneNumber, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import type { BlockedNumber } from "./BlockedNumber.js"

/** Keeps the numbers that workspaces never call. Every write joins the running transaction. */
export class BlockedNumbersStore extends Context.Tag("@trunkline/telephony/BlockedNumbersStore")<BlockedNumbersStore, {
  /** Adds numbers; of one that is there already, or comes twice, the first stays as it is. */
  readonly add: (scope: Scope, numbers: ReadonlyArray<BlockedNumber>) => Effect.Effect<void>
  /** True when there was one to remove. */
  readonly remove: (scope: Scope, number: PhoneNumber) => Effect.Effect<boolean>
  /** Those of these numbers that are blocked, in no order. */
  readonly find: (
    scope: Scope,
    numbers: ReadonlyArray<PhoneNumber>
  ) => Effect.Effect<ReadonlyArray<BlockedNumber>>
  /** The newest first; of those that were blocked in one moment, by ascending number. */
  readonly list: (
    scope: Scope,
    page: Pick<PageRequest, "limit" | "offset">
  ) => Effect.Effect<{ readonly items: ReadonlyArray<BlockedNumber>; readonly total: number }>
}>() {
  /** Keeps numbers in memory. */
  static readonly layerMemory = Layer.sync(BlockedNumbersStore, () => {
    const workspaces = new Map<string, MemoryTable<PhoneNumber, BlockedNumber>>()
    const of = (scope: Scope) => {
      const numbers = workspaces.get(scopeKey(scope)) ?? MemoryTable.make<PhoneNumber, BlockedNumber>()
      workspaces.set(scopeKey(scope), numbers)
      return numbers
    }
    return BlockedNumbersStore.of({
      add: (scope, numbers) =>
        Effect.forEach(
          numbers,
          (number) =>
            Effect.suspend(() =>
              of(scope).has(number.phone_number) ? Effect.void : of(scope).set(number.phone_number, number)
            ),
          { discard: true }
        ),
      remove: (scope, number) => Effect.suspend(() => of(scope).delete(number)),
      find: (scope, numbers) => Effect.sync(() => numbers.flatMap((number) => of(scope).get(number) ?? [])),
      list: (scope, { limit, offset }) =>
        Effect.sync(() => ({
          items: Array.from(of(scope).values()).sort(newestFirst).slice(offset, offset + limit),
          total: of(scope).size
        }))
    })
  })
}

const newestFirst = (a: BlockedNumber, b: BlockedNumber): number =>
  b.created_at.epochMillis - a.created_at.epochMillis || (a.phone_number < b.phone_number ? -1 : 1)
