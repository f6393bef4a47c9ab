import { MemoryTable, type PageRequest, PhoneNumber, type Scope, scopeKey, Timestamp } from "@trunkline/kernel"
import { Context, Effect, Layer, Schema, SchemaAST } from "effect"
import { DialledNumber } from "../call/Outbound.js"

/** Storage of blocked numbers. Every write joins the current transaction. */
export class BlockedNumbersStore extends Context.Tag("@trunkline/telephony/BlockedNumbersStore")<BlockedNumbersStore, {
  /** Adds numbers; the first entry of a number wins. */
  readonly add: (scope: Scope, numbers: ReadonlyArray<BlockedNumber>) => Effect.Effect<void>
  /** Removes a number; returns false when it is not blocked. */
  readonly remove: (scope: Scope, number: PhoneNumber) => Effect.Effect<boolean>
  /** Entries for those of the given numbers that are blocked, in no particular order. */
  readonly find: (
    scope: Scope,
    numbers: ReadonlyArray<PhoneNumber>
  ) => Effect.Effect<ReadonlyArray<BlockedNumber>>
  /** One page, newest first; ties by ascending number. */
  readonly list: (
    scope: Scope,
    page: Pick<PageRequest, "limit" | "offset">
  ) => Effect.Effect<{ readonly items: ReadonlyArray<BlockedNumber>; readonly total: number }>
}>() {
  /** Stores blocked numbers in memory. */
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

/** Maximum number of phone numbers that one request can block. */
const maxBlockedPerRequest = 1000

/** A phone number that a workspace never calls. */
export const BlockedNumber = Schema.Struct({
  phone_number: PhoneNumber,
  reason: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  created_by: Schema.String
})
export type BlockedNumber = typeof BlockedNumber.Type

const PhoneNumbers = Schema.Array(DialledNumber).pipe(Schema.minItems(1), Schema.maxItems(maxBlockedPerRequest))

/** Checks the length before decoding the items; the API description shows the decoded type. */
const FewPhoneNumbers = Schema.compose(
  Schema.Array(Schema.Unknown).pipe(
    Schema.minItems(1, { message: () => "Must contain at least one phone number" }),
    Schema.maxItems(maxBlockedPerRequest, {
      message: () => `Must contain at most ${maxBlockedPerRequest} phone numbers`
    })
  ),
  Schema.Array(DialledNumber),
  { strict: false }
).annotations({ [SchemaAST.SurrogateAnnotationId]: PhoneNumbers.ast })

/** Request body that blocks 1 to 1000 numbers, each in E.164 or as a bare Indian number of ten digits. */
export const BlockNumbers = Schema.Struct({
  phone_numbers: FewPhoneNumbers,
  reason: Schema.optionalWith(
    Schema.NullOr(Schema.String.pipe(Schema.maxLength(150, { message: () => "Must be at most 150 characters" }))),
    { default: () => null }
  )
})
export type BlockNumbers = typeof BlockNumbers.Type
