import {
  knowledgeToolsOf,
  recordingToolsOf,
  type ToolCall,
  ToolFailed,
  type ToolHandlers,
  type ToolResult
} from "@trunkline/agents"
import {
  describeCause,
  engineFault,
  EngineFaults,
  noteSpan,
  reasonOfThrown,
  scopeKey,
  timeoutAfter,
  type Variables,
  type VariableValue,
  withReason,
  withSpan
} from "@trunkline/kernel"
import type { ModelTool, ToolRequest } from "@trunkline/models"
import type { CallBrief, Leg } from "@trunkline/telephony"
import { Cause, Duration, Effect, Either, Option, Schema, Struct } from "effect"
import { actOnLine } from "./actions/LineActions.js"
import type { ToolGuard } from "./Resumption.js"
import { digitsByName } from "./state/ActionState.js"
import { type CallPlan, type CallState, currentVariables } from "./state/CallState.js"
import { isLineTool, lineToolsOf } from "./tools/LineTools.js"
import { argumentsFault } from "./tools/ToolArguments.js"
import type { ToolUse } from "./tools/ToolLedger.js"
import type { ToolOutcome } from "./tools/ToolOutcome.js"

/** Message to the model about a tool that failed unexpectedly; the cause is not disclosed. */
const toolFailed = "The tool failed."

/** Message to the model about a tool that took too long. Whether it has done something is not known. */
const tooLate = "The tool did not answer in time."

/** Outcome of a use, without its request and its time. */
type Answer = Omit<ToolOutcome, "request" | "seconds">

const refuse = (content: string): Answer => ({ content, set: {}, outcome: "refused" })

const misfit = (content: string): Answer => ({ content, set: {}, outcome: "wrong_arguments" })

/** The answer of a tool that failed: its message, when it failed by its own account. */
const failureOf = (cause: Cause.Cause<ToolFailed | Cause.TimeoutException>): Answer =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => ({ content: toolFailed, set: {}, outcome: "failed" }),
    onSome: (error) =>
      error._tag !== "ToolFailed"
        ? { content: tooLate, set: {}, outcome: "timed_out" }
        : error.kind === "arguments"
        ? misfit(error.message)
        : { content: error.message, set: {}, outcome: "failed" }
  })

const isMisfit = (cause: Cause.Cause<ToolFailed | Cause.TimeoutException>): boolean =>
  Option.exists(Cause.failureOption(cause), (error) => error._tag === "ToolFailed" && error.kind === "arguments")

/** Logs that a tool failed, with the stack of what it threw, and tells the host. */
const reportTool = (
  { attempt_id, scope }: CallBrief,
  name: string,
  cause: Cause.Cause<ToolFailed | Cause.TimeoutException>
): Effect.Effect<void> =>
  Effect.flatMap(EngineFaults, ({ report }) => {
    const toolError = Option.match(Cause.failureOption(cause), {
      onNone: () => Cause.squash(cause),
      onSome: (failure) => failure._tag === "ToolFailed" && failure.cause !== undefined ? failure.cause : failure
    })
    const reason = Cause.isDie(cause) || toolError instanceof Cause.TimeoutException ? "" : reasonOfThrown(toolError)
    const problem = toolError instanceof Cause.TimeoutException ? "did not answer in time" : "failed"
    const message = withReason(`The tool ${name} ${problem}`, reason)
    return Effect.logWarning(message, describeCause(Cause.die(toolError))).pipe(
      Effect.zipRight(
        report(engineFault({ kind: "tool", name, message, attempt_id, workspace: scopeKey(scope), cause: toolError }))
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
  <E, R>(use: Effect.Effect<Answer, E, R>): Effect.Effect<Answer, E, R> =>
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

/** The time that a use of a tool may take; not more than a hold may last, where the caller is on hold. */
const timeoutOf = ({ plan: { options, version }, state: { actions: { waiting } } }: ToolRun, name: string) => {
  const seconds = version.tools.find((tool) => tool.name === name)?.timeout_seconds
  const usual = seconds === undefined ? options.timeout : Duration.seconds(seconds)
  return waiting?._tag === "Hold" ? Duration.min(usual, Duration.seconds(waiting.seconds)) : usual
}

/** Tools to execute. */
export interface ToolRun {
  /** Leg of the call, on which tools of the line act. */
  readonly leg: Leg
  readonly plan: CallPlan
  readonly state: CallState
  readonly handlers: ToolHandlers
  readonly uses: ReadonlyArray<ToolUse>
  /** Told of each outcome at once, since the call may end before the next tool has answered. */
  readonly onOutcome: (outcome: ToolOutcome) => void
  /** Runs each of them at most once, also when the process stops meanwhile. Absent: they run. */
  readonly guard?: ToolGuard | undefined
}

/** Arguments of a request by their schema; null for any. On the left, what is wrong with them. */
const readInput = (text: string, schema: ModelTool["parameters"] | null): Either.Either<unknown, Answer> => {
  const input = parse(text === "" ? "{}" : text)
  if (Option.isNone(input)) return Either.left(misfit("The arguments are not JSON."))
  const fault = schema === null ? null : argumentsFault(schema ?? {}, input.value)
  return fault === null ? Either.right(input.value) : Either.left(misfit(fault))
}

/** Runs a tool of the line, which has deadlines of its own. */
const runLineTool = ({ leg, plan, state }: ToolRun, request: ToolRequest): Effect.Effect<Answer> => {
  const tool = lineToolsOf(plan.version).find(({ name }) => name === request.name)
  return Either.match(readInput(request.arguments, tool?.parameters ?? null), {
    onLeft: Effect.succeed,
    onRight: (input) =>
      actOnLine(leg, { plan, state, request, input }).pipe(
        withToolSpan(request),
        Effect.catchAllCause((cause) => Effect.as(reportTool(plan.brief, request.name, cause), failureOf(cause)))
      )
  })
}

/** The call as its tools see it. */
const callOf = ({ brief }: CallPlan, { actions, language }: CallState, variables: Variables): ToolCall => ({
  ...Struct.pick(
    brief,
    "attempt_id",
    "scope",
    "app_id",
    "app_version",
    "direction",
    "user_phone_number",
    "agent_phone_number"
  ),
  variables,
  language_name: language,
  digits: digitsByName(actions),
  ...(brief.recording !== undefined && { recording: Struct.pick(brief.recording, "consent", "pause", "resume") })
})

/** Runs a tool with arguments that fit its schema. A tool that does not end is given up, not waited for. */
const runTool = (run: ToolRun, request: ToolRequest, variables: Variables): Effect.Effect<Answer> => {
  const { handlers, plan, state } = run
  const tools = [...knowledgeToolsOf(plan.version), ...recordingToolsOf(plan.version), ...plan.version.tools]
  const tool = tools.find((tool) => tool.name === request.name)
  const handler = tool !== undefined && Object.hasOwn(handlers, request.name) ? handlers[request.name] : undefined
  if (tool === undefined || handler === undefined) return Effect.succeed(refuse("There is no tool of this name."))
  const read = readInput(request.arguments, handler.checksArguments === true ? null : tool.parameters)
  if (Either.isLeft(read)) return Effect.succeed(read.left)
  return Effect.suspend(() => handler(read.right, callOf(plan, state, variables))).pipe(
    Effect.flatMap((result) =>
      Effect.map(
        encodeContent(result.content),
        (content): Answer => ({ content, set: variablesSetBy(result), outcome: "done" })
      )
    ),
    timeoutAfter(timeoutOf(run, request.name), Effect.suspend(() => new Cause.TimeoutException())),
    withToolSpan(request),
    Effect.catchAllCause((cause) =>
      isMisfit(cause)
        ? Effect.succeed(failureOf(cause))
        : Effect.as(reportTool(plan.brief, request.name, cause), failureOf(cause))
    )
  )
}

/** The outcome of a use, with its time. */
const outcomeOf = (request: ToolRequest, use: Effect.Effect<Answer>): Effect.Effect<ToolOutcome> =>
  Effect.map(Effect.timed(use), ([time, answer]) => ({ ...answer, request, seconds: Duration.toSeconds(time) }))

/**
 * Executes tools of the host application in order, so that each sees the variables that earlier ones have set. A tool that
 * the agent does not have, one that may not run, wrong arguments, a failure and a timeout become results that say so.
 */
export const executeTools = (run: ToolRun): Effect.Effect<ReadonlyArray<ToolOutcome>> =>
  Effect.gen(function*() {
    const { guard = (_index, _request, use) => use } = run
    const outcomes: Array<ToolOutcome> = []
    let variables = currentVariables(run.plan, run.state)
    for (const [index, { refusal, request }] of run.uses.entries()) {
      const outcome = refusal === null
        ? yield* guard(
          index,
          request,
          outcomeOf(
            request,
            isLineTool(run.plan.version, request.name) ? runLineTool(run, request) : runTool(run, request, variables)
          )
        )
        : { ...refuse(refusal), request, seconds: 0 }
      variables = { ...variables, ...outcome.set }
      outcomes.push(outcome)
      run.onOutcome(outcome)
    }
    return outcomes
  })
