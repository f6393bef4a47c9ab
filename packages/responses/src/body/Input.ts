import { inPieces } from "@trunkline/kernel"
import { Array, Effect, ParseResult, Predicate, Schema } from "effect"
import { readBy } from "./Fields.js"
import { InputItem } from "./InputItem.js"

const Text = Schema.String.pipe(Schema.minLength(1))

const decodeItems = ParseResult.decodeUnknown(
  inPieces(Schema.Array(Schema.Unknown).pipe(Schema.minItems(1)), InputItem, { jsonSchema: {} })
)

const decodeText = ParseResult.decodeUnknown(Text)
const decodeItem = ParseResult.decodeUnknown(InputItem)

/** A conversation, and whether it came as a list: otherwise there is one item, which stands where the list would. */
export interface Input {
  readonly items: ReadonlyArray<InputItem>
  readonly isList: boolean
}

const alone = (item: InputItem): Input => ({ items: [item], isList: false })

/** The conversation so far (specification, Responses: input): a text of the user, one item, or a list of them. */
export const Input = readBy<Input>((value, options, ast) => {
  if (Array.isArray(value)) {
    return Effect.map(decodeItems(value, options), (items) => ({ items, isList: true }))
  }
  if (Predicate.isString(value)) {
    return Effect.map(decodeText(value, options), (content) => alone({ role: "user", content }))
  }
  return Predicate.isReadonlyRecord(value)
    ? Effect.map(decodeItem(value, options), alone)
    : ParseResult.fail(new ParseResult.Type(ast, value))
}, Schema.Union(Text, InputItem, Schema.Array(InputItem).pipe(Schema.minItems(1))))
