import type { JsonObject } from "@trunkline/kernel"
import { Schema } from "effect"
import { HttpRequest } from "./HttpRequest.js"
import { Localized, optional } from "./Templates.js"
import { parametersFault } from "./ToolParameters.js"

/** Names of the tools that every conversation provides. */
export const builtInTools = ["end_call", "set_variables", "request_callback", "try_again", "set_language"] as const
export type BuiltInTool = (typeof builtInTools)[number]

/** Longest time of one use of a tool, in seconds. */
const maxUseSeconds = 600

/** Rules by which a conversation treats a tool. */
const policies = {
  /** Time after which a use is given up, in seconds from 0.1 to 600; absent: that of the conversation, 12. */
  timeout_seconds: optional(Schema.Number.pipe(Schema.between(0.1, maxUseSeconds))),
  /**
   * Template of what the agent says once the tool has run for a second; absent: "One moment, please." after 6 seconds. Words
   * of the model before the tool count too: then it is also said after 6 seconds only.
   */
  filler: optional(Localized),
  /**
   * True for a tool that runs at most once a call, such as a payment: each further request gets the first answer, also when
   * that was a failure or never came.
   */
  once: optional(Schema.Boolean),
  /**
   * True for a tool that may run twice, such as one that only reads: it runs again when the process of a call stops while it
   * runs. Otherwise it does not, and the model is told that its outcome is not known.
   */
  repeatable: optional(Schema.Boolean),
  /** Fate of a request when the caller interrupts the words before it: `drop` by default, or `run`. */
  on_interruption: optional(Schema.Literal("drop", "run"))
}

/** A tool that the agent can use during a call: a request over HTTP, or a function of the host application. */
export const AgentTool = Schema.Struct({
  /** Name by which the model uses the tool: up to 64 letters, digits, `_` and `-`. */
  name: Schema.String.pipe(
    Schema.pattern(/^[A-Za-z0-9_-]{1,64}$/),
    Schema.filter((name) => builtInTools.every((toolName) => toolName !== name) || `${name} is a built-in tool`)
  ),
  /** Description for the model: what the tool does, and when to use it. */
  description: Schema.String,
  /** JSON Schema of the arguments, which are an object. Arguments that do not fit go back to the model. */
  parameters: Schema.optionalWith(
    Schema.Record({ key: Schema.String, value: Schema.Unknown }).pipe(
      Schema.filter((parameters) => parametersFault(parameters) ?? true, {
        arbitrary: () => (fc) => fc.constantFrom<JsonObject>({}, { type: "object", required: ["city"] })
      })
    ),
    {
      exact: true,
      default: () => ({ type: "object", properties: {} })
    }
  ),
  ...policies,
  /** The request of a tool over HTTP; absent: the host application supplies a function in code. */
  http: optional(HttpRequest)
})
export type AgentTool = typeof AgentTool.Type

/** Fields of a tool that say how a conversation treats it. */
export type ToolPolicy = Pick<AgentTool, keyof typeof policies>
