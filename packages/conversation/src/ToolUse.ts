import type { ToolAnswer, ToolHandlers } from "@trunkline/agents"
import type { Variables, VariableValue } from "@trunkline/kernel"
import type { ToolRequest } from "@trunkline/models"
import { Cause, Effect, Option, Schema } from "effect"
import { type CallPlan, type CallState, type ToolOutcome, variablesNow } from "./CallState.js"

/** What the model is told of a tool that broke; the cause stays with us. */
export const toolBroke = "The tool failed."

const parse = Schema.decodeUnknownOption(Schema.parseJson())

const written = (content: unknown): string => typeof content === "string" ? content : JSON.stringify(content) ?? "null"

const setBy = ({ set }: ToolAnswer): Variables =>
  Object.fromEntries(
    Object.entries(set ?? {}).filter((entry): entry is [string, VariableValue] => entry[1] !== undefined)
  )

/**
 * Has tools of the embedder carried out, one after the other, so that each sees what the one before has set. A tool that
 * is not the agent's, gets no readable arguments, fails or takes too long becomes a result that says so.
 */
export const carryOut = (options: {
  readonly plan: CallPlan
  readonly state: CallState
  readonly handlers: ToolHandlers
  readonly requests: ReadonlyArray<ToolRequest>
}): Effect.Effect<ReadonlyArray<ToolOutcome>> => {
  const { handlers, plan, requests, state } = options
  const useOne = (request: ToolRequest, variables: Variables): Effect.Effect<ToolOutcome> => {
    const told = (content: string): ToolOutcome => ({ request, content, set: {} })
    const offered = plan.version.tools.some((tool) => tool.name === request.name)
    const handler = offered && Object.hasOwn(handlers, request.name) ? handlers[request.name] : undefined
    if (handler === undefined) return Effect.succeed(told("There is no tool of this name."))
    const input = parse(request.arguments === "" ? "{}" : request.arguments)
    if (Option.isNone(input)) return Effect.succeed(told("The arguments are not JSON."))
    return Effect.suspend(() => handler(input.value, { variables, language_name: state.language })).pipe(
      Effect.map((answer): ToolOutcome => ({ request, content: written(answer.content), set: setBy(answer) })),
      Effect.timeout(plan.options.patience),
      Effect.catchTag("ToolFailed", ({ message }) => Effect.succeed(told(message))),
      Effect.catchAllCause((cause) =>
        Effect.as(
          Effect.logWarning(`The tool ${request.name} ${Cause.isDie(cause) ? "broke" : "took too long"}.`),
          told(toolBroke)
        )
      )
    )
  }
  return Effect.gen(function*() {
    const outcomes: Array<ToolOutcome> = []
    let variables = variablesNow(plan, state)
    for (const request of requests) {
      const outcome = yield* useOne(request, variables)
      variables = { ...variables, ...outcome.set }
      outcomes.push(outcome)
    }
    return outcomes
  })
}
