import { type Answered, type Completion, emptyCompletion } from "@trunkline/models"
import { makeOutput, type Piece } from "../output/Output.js"
import { unseen } from "../output/Showing.js"
import type { ResponseAsked } from "../reading/ResponseAsked.js"
import { ended } from "./Ending.js"
import type { ResponseResource } from "./ResponseResource.js"

/** A whole answer in the order in which models write: thoughts, words, tools. */
const piecesOf = ({ finish, reasoning, refusal, text, toolRequests }: Completion): ReadonlyArray<Piece> => [
  { _tag: "Reasoning", text: reasoning },
  { _tag: "Refusal", text: refusal ?? "" },
  { _tag: "Text", text },
  ...toolRequests.flatMap(({ arguments: text, id, name }, index) =>
    [{ _tag: "ToolStart", index, id, name }, { _tag: "ToolArgs", index, text }] as const
  ),
  { _tag: "Finish", reason: finish }
]

/** The response that a whole answer makes; `at` is when it was there, in Unix seconds. */
export const responseOf = (
  { createdAt, echo, reasoning }: ResponseAsked,
  { choices: [completion = emptyCompletion], usage }: Answered,
  { at, requestId }: { readonly at: number; readonly requestId: string }
): ResponseResource => {
  const output = makeOutput({ reasoning, responseId: requestId }, unseen)
  for (const piece of piecesOf(completion)) output.push(piece)
  return {
    id: requestId,
    object: "response",
    created_at: createdAt,
    ...ended({ finish: completion.finish, usage }, { at, most: echo.max_output_tokens }),
    output: output.items(),
    ...echo
  }
}
