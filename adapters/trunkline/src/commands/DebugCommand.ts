import { versionList } from "@trunkline/agents"
import { AppId, AttemptId, PhoneNumber, unchecked, Variables } from "@trunkline/kernel"
import { LanguageModel } from "@trunkline/models"
import { makeDebugger, type ToolMock } from "@trunkline/replay"
import type { CallBrief } from "@trunkline/telephony"
import { Duration, Effect, Either, ManagedRuntime, Schema } from "effect"
import { resolve } from "node:path"
import { createInterface } from "node:readline"
import { versionIn } from "../promises/replays/ReplayMethods.js"
import { StartError } from "../server/Explain.js"
import { readText } from "../server/LoadConfig.js"
import type { CommandCall } from "./Call.js"
import { type DebugAnswer, makeDebugLines } from "./replay/DebugLines.js"
import { agentNamed, catalogOf, replayConfig, workspaceOf } from "./replay/ReplayAgents.js"

const decodeVariables = Schema.decodeUnknownEither(Schema.parseJson(Variables))
const decodeMocks = Schema.decodeUnknownEither(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

const variablesOf = ({ flags }: CommandCall): Variables => {
  const flag = flags["variables"]
  if (flag === undefined) return {}
  const read = decodeVariables(flag)
  if (Either.isRight(read)) return read.right
  throw new StartError(`--variables: Must be a JSON object of texts, numbers, true and false, such as {"name":"Asha"}`)
}

/** Answers of tools from a file; none by default. */
const mockOf = ({ flags, folder }: CommandCall): ToolMock => {
  const file = flags["tools"]
  if (typeof file !== "string") return () => null
  const read = decodeMocks(readText(resolve(folder, file)))
  if (Either.isLeft(read)) {
    throw new StartError(`--tools: ${file} must be a JSON object of answers by the names of tools`)
  }
  const answers = read.right
  return ({ name }) => {
    if (!Object.hasOwn(answers, name)) return null
    const answer = answers[name]
    return { content: typeof answer === "string" ? answer : JSON.stringify(answer), set: {}, outcome: "done" }
  }
}

/** Runs a debugger over lines until they end. Resolves with the exit code. */
export const debugOver = async (call: CommandCall, lines: () => AsyncIterable<string>): Promise<number> => {
  const config = await replayConfig(call)
  const namedAgent = agentNamed(call, config)
  const scope = workspaceOf(call, config)
  const [only, ...others] = config.agents
  const agent = typeof namedAgent.agent === "object"
    ? namedAgent.agent
    : config.agents.find(({ app_id }) => app_id === namedAgent.agent) ?? (others.length === 0 ? only : undefined)
  if (agent === undefined) {
    throw new StartError("Name an agent with --agent: an id of the configuration, or a JSON file")
  }
  const version = versionIn(agent, namedAgent.version)
  if (version === undefined) {
    throw new StartError(`--agent: ${agent.app_id} has no version ${namedAgent.version}: it has ${versionList(agent)}`)
  }
  const brief: CallBrief = {
    attempt_id: AttemptId.make("00000000-0000-7000-8000-000000000000", unchecked),
    scope,
    direction: call.flags["inbound"] === true ? "inbound" : "outbound",
    app_id: AppId.make(agent.app_id, unchecked),
    app_version: version.app_version,
    user_phone_number: PhoneNumber.make("+919800000001", true),
    agent_phone_number: PhoneNumber.make("+911140000001", true),
    agent_variables: variablesOf(call),
    app_overrides: {},
    maxDuration: Duration.hours(1)
  }
  const toolMock = mockOf(call)
  const print = ({ json, text }: DebugAnswer) => {
    if (call.flags["json"] === true) call.print(JSON.stringify(json))
    else for (const line of text) call.print(line)
  }
  const runtime = ManagedRuntime.make(config.model)
  try {
    const model = await runtime.runPromise(LanguageModel)
    const debug = await runtime.runPromise(
      Effect.provide(
        makeDebugger({ brief, version, model, toolMock, startedAt: Date.now() }),
        catalogOf(config, { agent, version: undefined })
      )
    )
    const { begin, read } = makeDebugLines(debug)
    print(await runtime.runPromise(begin))
    for await (const line of lines()) {
      if (line.trim() === "") continue
      const answer = await runtime.runPromise(read(line))
      if (answer.isOver) break
      print(answer)
    }
    await runtime.runPromise(debug.close)
    return 0
  } finally {
    await runtime.dispose()
  }
}

/** `trunkline debug`: lets a person or a program talk with an agent, line by line. Nobody is called, and no tool is run. */
export const debug = (call: CommandCall): Promise<number> =>
  // The reader begins when somebody reads, since lines that come before are lost.
  debugOver(call, () => createInterface({ input: process.stdin, terminal: false }))
