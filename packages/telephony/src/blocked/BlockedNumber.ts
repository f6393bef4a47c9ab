import { PhoneNumber, Timestamp } from "@trunkline/kernel"
import { Schema, SchemaAST } from "effect"
import { DialledNumber } from "../Outbound.js"

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
