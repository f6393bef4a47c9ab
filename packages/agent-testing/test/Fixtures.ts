import { Agent, AgentVersion, type ToolHandlers } from "@trunkline/agents"
import { AppId } from "@trunkline/kernel"
import { LanguageModel } from "@trunkline/models"
import { ScriptedModel, type ScriptedRule } from "@trunkline/scripted-model"
import { Context, Duration, Effect, Layer, Schema } from "effect"
import {
  type Caller,
  checkCall,
  type CheckOptions,
  type MakeLine,
  runCall,
  type TestedCall,
  type ToolMocks
} from "../src/index.js"

const decode = Schema.decodeUnknownSync(AgentVersion)

/** Monday 30 November 2026, 9 o'clock in India. */
const mondayMorning = Date.parse("2026-11-30T03:30:00Z")

/** The agent of a version, which is the agent `desk`. */
export const deskOf = (version: object): Agent =>
  new Agent({ app_id: AppId.make("desk"), versions: [decode({ app_version: 1, committed: true, ...version })] })

/** A model that follows rules. */
export const modelOf = (rules: ReadonlyArray<ScriptedRule>): LanguageModel["Type"] =>
  Context.get(Effect.runSync(Effect.scoped(Layer.build(ScriptedModel.layer(rules)))), LanguageModel)

/** Runs a call of a version whose model follows rules, with its rules checked. */
export const callWith = (
  version: object,
  { at = mondayMorning, checks, handlers = {}, lastSilence = 3, line, mocks, rules = [], seed = 1 }: {
    readonly line?: MakeLine
    readonly rules?: ReadonlyArray<ScriptedRule>
    readonly mocks?: ToolMocks
    readonly handlers?: ToolHandlers
    readonly checks?: CheckOptions
    readonly seed?: number
    readonly at?: number
    readonly lastSilence?: number
  },
  script: (caller: Caller) => Effect.Effect<unknown, { readonly message: string }>
): Effect.Effect<TestedCall & { readonly failed: string | null }> => {
  const agents = [deskOf(version)]
  return Effect.map(
    runCall({
      agents,
      tools: { of: () => handlers },
      ...(mocks && { mocks }),
      ...(line && { line }),
      model: modelOf(rules),
      brief: { app_id: AppId.make("desk"), app_version: 1 },
      at,
      seed,
      lastSilence: Duration.seconds(lastSilence)
    }, (caller) => Effect.asVoid(script(caller))),
    ({ call, failure }) => ({
      ...checkCall(call, agents, checks),
      failed: failure === null ? null : String(failure)
    })
  )
}
