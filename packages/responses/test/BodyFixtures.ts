import { type Invalid, type NotFound, responsesEnvelope } from "@trunkline/errors"
import { Responses } from "@trunkline/responses"
import { Effect } from "effect"

export const read = (body: unknown) => Effect.flatMap(Responses, (responses) => responses.read(body))

/** The status, the field and the message of the HTTP response for a failure. */
export const errorFor = (failure: Invalid | NotFound) => {
  const { body: { error: { message, param } }, status } = responsesEnvelope(failure, null)
  return { status, param, message }
}

export const tool = { type: "function", name: "look_up" }

export const image = { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" }

export const call = { type: "function_call", call_id: "call_1", name: "look_up", arguments: "{}" }

export const parts = (...content: ReadonlyArray<object>) => ({ input: [{ role: "user", content }] })

export const format = (more: object) => ({ text: { format: { type: "json_schema", ...more } } })

export const schema = { name: "person", schema: { type: "object" } }
