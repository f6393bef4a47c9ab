import { macroTask, type Variables } from "@trunkline/kernel"
import {
  type Completion,
  type Delta,
  findModel,
  LanguageModel,
  ModelCatalog,
  type ModelFacts,
  type ModelFailure,
  type ModelRequest,
  TokenCounter,
  type Usage
} from "@trunkline/models"
import { Clock, Effect, Layer, Stream } from "effect"
import { logprobsOf, piecesOf } from "./Deltas.js"
import { effortOf, reasoningFor } from "./Reasoning.js"
import { playSchedule, scheduleOf, type ScriptedPace } from "./Schedule.js"
import { matchRule, type ScriptedRule } from "./ScriptedRule.js"
import { type ScriptedAnswer, type ScriptedTurn, turnOf } from "./ScriptedTurn.js"
import { countInput, type Draft, limitOutput } from "./TokenUsage.js"

/** Settings of the scripted model. */
export interface ScriptedOptions extends ScriptedPace {
  /** Variables for the texts of all rules. Default: none. */
  readonly variables?: Variables
}

/** Makes ids for tool calls that the conversation does not use yet. */
const newIds = (messages: ModelRequest["messages"], count: number): ReadonlyArray<string> => {
  if (count === 0) return []
  const earlier = messages.flatMap((message) => message.role === "assistant" ? message.toolRequests : [])
  const usedIds = new Set(earlier.map(({ id }) => id))
  const ids: Array<string> = []
  for (let number = earlier.length + 1; ids.length < count; number++) {
    if (!usedIds.has(`call_${number}`)) ids.push(`call_${number}`)
  }
  return ids
}

const draftOf = (turn: ScriptedTurn, answer: ScriptedAnswer, facts: ModelFacts | undefined): Draft => {
  const { finish, reasoning, refusal = null, text = "", tools = [] } = answer
  const effort = effortOf(turn.request, facts)
  const ids = newIds(turn.request.messages, tools.length)
  return {
    text,
    refusal,
    reasoning: reasoning ?? (effort === null ? "" : reasoningFor(turn, effort)),
    toolRequests: tools.map(({ arguments: args = {}, name }, index) => ({
      id: ids[index] ?? "",
      name,
      arguments: typeof args === "string" ? args : JSON.stringify(args)
    })),
    finish: finish ?? (tools.length > 0 ? "tool_calls" : "stop")
  }
}

/** Takes the deltas up to so many words of the text. */
const firstWords = (pieces: ReadonlyArray<Delta>, words: number): ReadonlyArray<Delta> => {
  let remaining = words
  const end = pieces.findIndex(({ _tag }) => _tag === "Text" && remaining-- === 0)
  return end < 0 ? pieces : pieces.slice(0, end)
}

/** Detects answers that are made from schemas, which takes milliseconds: other fibers get a turn before each. */
const mayTakeLong = ({ format, tools = [] }: ModelRequest): boolean => format?.type === "schema" || tools.length > 0

const make = (rules: ReadonlyArray<ScriptedRule>, options: ScriptedOptions) =>
  Effect.gen(function*() {
    const catalog = yield* ModelCatalog
    const counter = yield* TokenCounter

    /** Prepares an answer, its schedule, and its usage or failure at the end. */
    const answer = (request: ModelRequest) =>
      Effect.gen(function*() {
        const turn = turnOf(request)
        const { meant, rule } = matchRule(turn, rules, options.variables ?? {})
        if (mayTakeLong(request)) yield* macroTask
        if (rule?.delay !== undefined) yield* Effect.sleep(rule.delay)
        const { error, failsAfter = 0 } = rule ?? {}
        if (error !== undefined && failsAfter === 0) return yield* error
        const facts = findModel(catalog, request.model)
        const writtenDraft = yield* limitOutput(counter, draftOf(turn, meant(), facts), request.limits?.maxOutputTokens)
        const { outputTokens, reasoningTokens, ...words } = writtenDraft
        const allPieces = piecesOf(words, request.logprobs)
        const pieces = error === undefined ? allPieces : firstWords(allPieces, failsAfter)
        const tokens = outputTokens * pieces.length / Math.max(1, allPieces.length)
        const usage: Effect.Effect<Usage, ModelFailure> = error
          ?? Effect.map(countInput(counter, request, facts), (input) => ({ ...input, outputTokens, reasoningTokens }))
        return {
          words: { ...words, logprobs: logprobsOf(pieces) },
          schedule: scheduleOf(pieces, tokens, options),
          usage
        }
      })

    const generate = Effect.fnUntraced(function*(request: ModelRequest) {
      const { schedule, usage, words } = yield* answer(request)
      if (schedule.end > 0) yield* Effect.sleep(schedule.end)
      const completion: Completion = { ...words, usage: yield* usage }
      return completion
    })

    const stream = (request: ModelRequest) =>
      Stream.unwrap(Effect.gen(function*() {
        const { schedule, usage, words } = yield* answer(request)
        const ending = Effect.map(usage, (usage): ReadonlyArray<Delta> => [
          { _tag: "Usage", usage },
          { _tag: "Finish", reason: words.finish }
        ])
        return playSchedule(schedule, yield* Clock.currentTimeMillis, ending)
      }))

    return { generate, stream }
  })

/** The scripted model: a deterministic language model for tests, demos and rehearsals. */
export const ScriptedModel = {
  /**
   * A language model that follows rules, and answers politely by itself where no rule matches. The same request always
   * gets the same answer. It reads `ModelCatalog` and counts tokens with `TokenCounter`.
   *
   * @example
   * const model = ScriptedModel.layer([
   *   { when: userSays("price"), reply: "It costs 10 euros." },
   *   { when: userSays(/my name is (?<name>\w+)/), reply: "Hello {{name}}!" }
   * ])
   */
  layer: (rules: ReadonlyArray<ScriptedRule> = [], options: ScriptedOptions = {}): Layer.Layer<LanguageModel> =>
    Layer.effect(LanguageModel, make(rules, options))
}
