import type { ModelRequest } from "@trunkline/models"
import type { ReasoningShown } from "../output/Output.js"
import type { Echo } from "../resource/ResponseResource.js"

/** A request for a response that has been read, and can be answered as often as one likes. */
export interface ResponseAsked {
  /** Whether it asked for a stream. */
  readonly stream: boolean
  /** What the model is asked. */
  readonly request: ModelRequest
  /** What the response repeats of it. */
  readonly echo: Echo
  /** Which thoughts of the model are put out. */
  readonly reasoning: ReasoningShown
  /** When it was read, in Unix seconds: `created_at` of its response. */
  readonly createdAt: number
}
