import { type CallTest, checkCall, type MakeLine, printCall, runCall } from "@trunkline/agent-testing"
import { type Agent, decodeAgent, definitionIssues, versionList } from "@trunkline/agents"
import { AppId, PhoneNumber } from "@trunkline/kernel"
import { LanguageModel } from "@trunkline/models"
import { Cause, Context, Duration, Effect, Either, Exit, Layer, Option } from "effect"
import type { Agent as WireAgent } from "../generated/Resources.js"
import type { TestedCall } from "../generated/Testing.js"
import type { AgentOptions } from "../options/AgentOptions.js"
import { agentParts } from "../options/agents/AgentParts.js"
import { InvalidOption } from "../options/InvalidOption.js"
import { scripted } from "../options/ModelOptions.js"
import type { TestCampaignOptions, TestedCampaign } from "./campaigns/CampaignTypes.js"
import { currentRun } from "./CurrentRun.js"
import { judgeCall } from "./JudgeCall.js"
import { loadModel } from "./models/LoadModel.js"
import { playScript } from "./PromisedCaller.js"
import type { CallerScript, TestAgentOptions, TestCallOptions, TestedAgent } from "./TestTypes.js"
import { mocksOf } from "./ToolMocks.js"

/** Monday 5 January 2026, 10:00 in India. */
const usualMoment = "2026-01-05T10:00:00+05:30"

const owner = "testAgent"

/** The agent of options. The short form of an agent has no versions, of which issues tell. */
const decode = (agent: WireAgent, options: AgentOptions | undefined): Agent => {
  const result = decodeAgent(agent)
  if (Either.isRight(result)) return result.right
  const isShort = options !== undefined && !("versions" in options)
  const issues = definitionIssues(result.left).map((issue) => isShort ? issue.replace(/^versions\.0\./, "") : issue)
  throw new InvalidOption(agent.app_id, issues.join("\n  "), owner)
}

const momentOf = (at: string | Date): number => {
  const millis = at instanceof Date ? at.getTime() : Date.parse(at)
  if (Number.isNaN(millis)) {
    throw new InvalidOption("at", `"${String(at)}" is no moment: write it as 2026-11-30T09:00+05:30`, owner)
  }
  return millis
}

const numberOf = (phoneNumber: string): PhoneNumber =>
  Option.getOrElse(Either.getRight(Either.try(() => PhoneNumber.make(phoneNumber))), () => {
    throw new InvalidOption("phoneNumber", `"${phoneNumber}" is no number: write it as +919800000001`, owner)
  })

/** The version that has the calls: the one that is asked for, or the last committed one. */
const versionOf = (agent: Agent, choice: number | undefined): number => {
  const { app_id, versions } = agent
  const number = choice ?? versions.filter(({ committed }) => committed).at(-1)?.app_version
  if (number !== undefined && versions.some(({ app_version }) => app_version === number)) return number
  throw new InvalidOption(
    "version",
    `${app_id} has no ${choice === undefined ? "committed version" : `version ${choice}`}; it has ${
      versionList(agent)
    }`,
    owner
  )
}

/** Overrides of a call. */
const overridesOf = ({ firstMessage, language, state }: TestCallOptions) => ({
  ...(firstMessage !== undefined && { initial_bot_message: firstMessage }),
  ...(language !== undefined && { initial_language_name: language }),
  ...(state !== undefined && { initial_state_name: state })
})

/** An agent that is ready for tests. */
interface Ready {
  readonly agents: ReadonlyArray<Agent>
  /** Runs with the test of a call, whose model is there as long as the work lasts. */
  readonly withTest: <A>(callOptions: TestCallOptions, use: (test: CallTest) => Effect.Effect<A>) => Promise<A>
}

/** Reads what is tested. Throws `InvalidOption`. */
const ready = (first: AgentOptions, options: Omit<TestAgentOptions, keyof TestCallOptions>): Ready => {
  const { agents: others = [], model = scripted(), tools: mocks = {}, version } = options
  const parts = agentParts([first, ...others])
  const agents = parts.agents.map((agent, index) => decode(agent, [first, ...others][index]))
  const [tested] = agents
  if (tested === undefined) throw new InvalidOption("agent", "there is none", owner)
  const app_version = versionOf(tested, version)
  const toolMocks = mocksOf(mocks, parts.agents)
  let modelLayer: ReturnType<typeof loadModel> | undefined

  const testOf = (
    callOptions: TestCallOptions,
    model: LanguageModel["Type"],
    line: MakeLine | undefined
  ): CallTest => ({
    agents,
    tools: parts.tools,
    mocks: toolMocks,
    model,
    brief: {
      app_id: AppId.make(tested.app_id),
      app_version,
      direction: callOptions.direction ?? "outbound",
      agent_variables: callOptions.variables ?? {},
      app_overrides: overridesOf(callOptions),
      ...(callOptions.phoneNumber !== undefined && { user_phone_number: numberOf(callOptions.phoneNumber) })
    },
    ...(line !== undefined && { line }),
    at: momentOf(callOptions.at ?? usualMoment),
    seed: callOptions.seed ?? 1,
    lastSilence: Duration.seconds(callOptions.lastSilence ?? 3)
  })

  return {
    agents,
    withTest: async (callOptions, use) => {
      modelLayer ??= loadModel(model)
      const line = callOptions.sound === true
        ? (await import("@trunkline/agent-testing/sound")).makeSoundLine
        : undefined
      const run = Effect.flatMap(
        Layer.build(await modelLayer),
        (services) => use(testOf(callOptions, Context.get(services, LanguageModel), line))
      )
      const exit = await Effect.runPromiseExit(Effect.scoped(run))
      if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
      return exit.value
    }
  }
}

/**
 * Makes an agent ready for tests: its calls take no real time, its model and its tools are those of the test, and what happens is
 * returned as plain data. Works in vitest, in node:test and alone. Throws `InvalidOption` for what is wrong.
 *
 * @example
 * ```ts
 * const desk = testAgent(agent, { model, tools: { book: () => "9 am" } })
 * const call = await desk.call(async (caller) => {
 *   await caller.hears("How can I help")
 *   await caller.says("A table for two, please.")
 * })
 * expectCall(call).used("book", { people: 2 }).heard("9 am")
 * ```
 */
export const testAgent = (first: AgentOptions, options: TestAgentOptions = {}): TestedAgent => {
  const { agents: _, model: __, tools: ___, version: ____, ...usual } = options
  const { agents, withTest } = ready(first, options)
  return {
    call: async (script: CallerScript, changes: TestCallOptions = {}) => {
      const current = currentRun()
      const callOptions: TestCallOptions = { ...usual, ...current && { seed: current.seed }, ...changes }
      const { call, failure } = await withTest(callOptions, (test) => runCall(test, playScript(script)))
      current?.calls.push(call)
      return judgeCall(callOptions.rules === false ? call : checkCall(call, agents, callOptions.rules), failure)
    }
  }
}

/**
 * Runs a campaign in virtual time, on an engine in memory: a week takes a moment. Its contacts are played by scripts, one for each
 * attempt. Resolves with its dials and calls as plain data; rejects as a call of `testAgent` does, and with `InvalidOption`.
 *
 * @example
 * ```ts
 * const { dials } = await testCampaign(agent, {
 *   contacts: [{ phone: "+919800000001", variables: { name: "Asha" } }],
 *   answers: (_contact, attempt) => attempt === 1 ? "busy" : (caller) => caller.says("Yes, I will pay.")
 * })
 * ```
 */
export const testCampaign = async (first: AgentOptions, options: TestCampaignOptions): Promise<TestedCampaign> => {
  const { runCampaign } = await import("./campaigns/TestCampaign.js")
  const seed = options.seed ?? currentRun()?.seed ?? 1
  const campaign = await ready(first, options).withTest(
    { ...options, seed },
    (test) => Effect.promise(() => runCampaign({ ...options, seed }, test))
  )
  currentRun()?.calls.push(...campaign.calls)
  return campaign
}

/** The transcript of a call, one line for each turn with its second since the answer. */
export const showCall = (call: TestedCall): string => printCall(call)
