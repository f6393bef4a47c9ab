import { MemoryTable, type PageRequest, PhoneNumber, type Scope, scopeKey, Timestamp } from "@trunkline/kernel"
import { Context, Effect, Layer, Schema, SchemaAST } from "effect"
import { DialledNumber } from "../outbound/Outbound.js"

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

/** The most numbers that one request may block (shapes 13). */
export const MAX_BLOCKED_PER_REQUEST = 1000

/** A number that a workspace never calls (shapes 13). */
export const BlockedNumber = Schema.Struct({
  phone_number: PhoneNumber,
  reason: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  created_by: Schema.String
})
export type BlockedNumber = typeof BlockedNumber.Type

const PhoneNumbers = Schema.Array(DialledNumber).pipe(Schema.minItems(1), Schema.maxItems(MAX_BLOCKED_PER_REQUEST))

/** Numbers that are counted before they are read; described as what they are. */
const FewPhoneNumbers = Schema.compose(
  Schema.Array(Schema.Unknown).pipe(
    Schema.minItems(1, { message: () => "Must hold a phone number at least" }),
    Schema.maxItems(MAX_BLOCKED_PER_REQUEST, {
      message: () => `Must hold no more than ${MAX_BLOCKED_PER_REQUEST} phone numbers`
    })
  ),
  Schema.Array(DialledNumber),
  { strict: false }
).annotations({ [SchemaAST.SurrogateAnnotationId]: PhoneNumbers.ast })

/** What blocks numbers: E.164 or bare Indian ones of ten digits, 1 to 1000 (shapes 13). */
export const BlockNumbers = Schema.Struct({
  phone_numbers: FewPhoneNumbers,
  reason: Schema.optionalWith(
    Schema.NullOr(Schema.String.pipe(Schema.maxLength(150, { message: () => "Must be 150 characters at most" }))),
    { default: () => null }
  )
})
export type BlockNumbers = typeof BlockNumbers.Type
