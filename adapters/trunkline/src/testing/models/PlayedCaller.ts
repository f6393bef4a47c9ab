import type { Message } from "../../generated/Models.js"
import type { Model } from "../../options/ModelOptions.js"
import { currentRun } from "../CurrentRun.js"
import type { CallerScript } from "../TestTypes.js"
import { askModel } from "./LoadModel.js"

/** A caller that a model plays. */
export interface PlayedCaller {
  readonly model: Model
  /** Purpose of the call, such as `Book a table for two at seven`. */
  readonly goal: string
  /** Manner of speaking, such as `impatient, answers in half sentences`; plain and polite by default. */
  readonly temper?: string
  /** English name of the language that the caller speaks; English by default. */
  readonly language?: string
  /** Facts that the caller knows, and tells when they are asked for; none by default. */
  readonly facts?: Readonly<Record<string, string>>
  /** Seed of the model's answers; by default that of the run (`passShare`), or 1. */
  readonly seed?: number
  /** Most turns of the caller, after which they hang up; 20 by default. */
  readonly maxTurns?: number
  /** Name of the model for the provider; `core-105b` by default. */
  readonly modelName?: string
}

/** Words by which the model hangs up. */
const hangUp = "[hangs up]"

const promptOf = ({ facts = {}, goal, language = "English", temper = "plain and polite" }: PlayedCaller): string =>
  [
    "You play a person who is on the phone with a company. The other side is an automated agent.",
    `Purpose of your call: ${goal}`,
    `Your manner: ${temper}.`,
    `You speak ${language}.`,
    ...Object.entries(facts).map(([name, value]) => `You know: ${name}: ${value}. Tell it only when you are asked.`),
    "Answer with the words that you say next, one or two short spoken sentences, and nothing else.",
    `When your purpose is reached, or cannot be reached, say goodbye and end your answer with ${hangUp}.`,
    "Never help the agent, never speak for it, and never mention that you are played."
  ].join("\n")

/**
 * A caller whose words a model makes, from a goal, a temper and a language. With a model that takes a seed, or one that is kept by
 * `cachedModel`, the same seed gives the same call.
 *
 * @example
 * ```ts
 * const call = await desk.call(playedBy({ model, goal: "Book a table for two", temper: "in a hurry" }))
 * ```
 */
export const playedBy = (played: PlayedCaller): CallerScript => async (caller) => {
  const { language, maxTurns = 20, model, modelName = "core-105b" } = played
  const seed = played.seed ?? currentRun()?.seed ?? 1
  const messages: Array<Message> = [{ role: "system", content: promptOf(played) }]
  for (let turn = 0; turn < maxTurns && !caller.isOver(); turn++) {
    const agentWords = await caller.listens()
    if (caller.isOver()) return
    messages.push({ role: "user", content: agentWords === "" ? "(silence)" : agentWords })
    const answer = await askModel(model, { model: modelName, messages, effort: null, sampling: { seed } })
    messages.push({ role: "assistant", content: answer, toolRequests: [] })
    const words = answer.replace(hangUp, "").trim()
    if (words !== "") await caller.says(words, language === undefined ? {} : { language })
    if (answer.includes(hangUp)) return
  }
  await caller.hangsUp()
}
