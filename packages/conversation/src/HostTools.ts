import { ToolFailed, type ToolHandlers, type ToolResult } from "@trunkline/agents"
import {
  describeCause,
  engineFault,
  EngineFaults,
  noteSpan,
  reasonOfThrown,
  scopeKey,
  type Variables,
  type VariableValue,
  withReason,
  withSpan
} from "@trunkline/kernel"
import type { ToolRequest } from "@trunkline/models"
import type { CallBrief } from "@trunkline/telephony"
import { Cause, Effect, Option, Schema, Struct } from "effect"
import { type CallPlan, type CallState, currentVariables, type ToolOutcome } from "./CallState.js"

/** Message to the model about a tool that failed unexpectedly; the cause is not disclosed. */
const toolFailed = "The tool failed."

/** Text for the model about a failure: the message of a tool that failed by its own account. */
const toldOf = (cause: Cause.Cause<ToolFailed | Cause.TimeoutException>): string =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => toolFailed,
    onSome: (failed) => failed._tag === "ToolFailed" ? failed.message : toolFailed
  })

/** Logs that a tool failed, with the stack of what it threw, and tells the host. */
const reportTool = (
  { attempt_id, scope }: CallBrief,
  name: string,
  cause: Cause.Cause<ToolFailed | Cause.TimeoutException>
): Effect.Effect<void> =>
  Effect.flatMap(EngineFaults, ({ report }) => {
    const thrown = Option.match(Cause.failureOption(cause), {
      onNone: () => Cause.squash(cause),
      onSome: (failed) => failed._tag === "ToolFailed" && failed.cause !== undefined ? failed.cause : failed
    })
    const why = Cause.isDie(cause) || thrown instanceof Cause.TimeoutException ? "" : reasonOfThrown(thrown)
    const what = thrown instanceof Cause.TimeoutException ? "did not answer in time" : "failed"
    const message = withReason(`The tool ${name} ${what}`, why)
    return Effect.logWarning(message, describeCause(Cause.die(thrown))).pipe(
      Effect.zipRight(
        report(engineFault({ kind: "tool", name, message, attempt_id, workspace: scopeKey(scope), cause: thrown }))
      )
    )
  })

const parse = Schema.decodeUnknownOption(Schema.parseJson())

/** The content of a result for the model; fails where JSON cannot hold it. */
const encodeContent = (content: unknown): Effect.Effect<string, ToolFailed> =>
  typeof content === "string"
    ? Effect.succeed(content)
    : Effect.try({
      try: () => JSON.stringify(content) ?? "null",
      catch: (error) => {
        const cause = new TypeError(`its result cannot be written as JSON: ${reasonOfThrown(error)}`)
        return new ToolFailed({ message: toolFailed, cause })
      }
    })

const variablesSetBy = ({ set }: ToolResult): Variables =>
  Object.fromEntries(
    Object.entries(set ?? {}).filter((entry): entry is [string, VariableValue] => entry[1] !== undefined)
  )

/** Executes a tool in a span by the conventions of OpenTelemetry; its arguments and its result only where texts are asked for. */
const withToolSpan =
  ({ arguments: args, id, name }: ToolRequest) =>
  <E, R>(use: Effect.Effect<ToolOutcome, E, R>): Effect.Effect<ToolOutcome, E, R> =>
    withSpan(`execute_tool ${name}`, (hasTexts) => ({
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": id,
        ...(hasTexts && { "gen_ai.tool.call.arguments": args })
      }
    }))(
      Effect.tap(
        use,
        ({ content }) =>
          noteSpan((hasTexts): Record<string, unknown> => hasTexts ? { "gen_ai.tool.call.result": content } : {})
      )
    )

/**
 * Executes tools of the host application in order, so that each sees the variables that earlier ones have set. A tool that
 * the agent does not have, invalid arguments, a failure and a timeout become results that say so.
 */
export const executeTools = (options: {
  readonly plan: CallPlan
  readonly state: CallState
  readonly handlers: ToolHandlers
  readonly requests: ReadonlyArray<ToolRequest>
}): Effect.Effect<ReadonlyArray<ToolOutcome>> => {
  const { handlers, plan, requests, state } = options
  const facts = Struct.pick(
    plan.brief,
    "attempt_id",
    "scope",
    "app_id",
    "app_version",
    "direction",
    "user_phone_number",
    "agent_phone_number"
  )
  const useOne = (request: ToolRequest, variables: Variables): Effect.Effect<ToolOutcome> => {
    const failure = (content: string): ToolOutcome => ({ request, content, set: {} })
    const offered = plan.version.tools.some((tool) => tool.name === request.name)
    const handler = offered && Object.hasOwn(handlers, request.name) ? handlers[request.name] : undefined
    if (handler === undefined) return Effect.succeed(failure("There is no tool of this name."))
    const input = parse(request.arguments === "" ? "{}" : request.arguments)
    if (Option.isNone(input)) return Effect.succeed(failure("The arguments are not JSON."))
    return Effect.suspend(() => handler(input.value, { ...facts, variables, language_name: state.language })).pipe(
      Effect.flatMap((result) =>
        Effect.map(
          encodeContent(result.content),
          (content): ToolOutcome => ({ request, content, set: variablesSetBy(result) })
        )
      ),
      Effect.timeout(plan.options.timeout),
      withToolSpan(request),
      Effect.catchAllCause((cause) => Effect.as(reportTool(plan.brief, request.name, cause), failure(toldOf(cause))))
    )
  }
  return Effect.gen(function*() {
    const outcomes: Array<ToolOutcome> = []
    let variables = currentVariables(plan, state)
    for (const request of requests) {
      const outcome = yield* useOne(request, variables)
      variables = { ...variables, ...outcome.set }
      outcomes.push(outcome)
    }
    return outcomes
  })
}
