import type { Variables } from "@trunkline/kernel"
import type { Localized } from "./Localized.js"
import { type Exit, exits, type Expectation, type Script, type ScriptStep } from "./Script.js"
import { digitsOf, saysPhrase } from "./Words.js"

/** Where a conversation is in its script. */
export interface ScriptState {
  /** The step whose answer is awaited, or null when there is none. */
  readonly step: string | null
  /** How often its answer was not understood. */
  readonly misses: number
}

/** The state that begins a script at one of its steps; an unknown or absent id begins at the first. */
export const startAt = (id: string | undefined): ScriptState => ({ step: id ?? null, misses: 0 })

/** What a script does next. */
export interface ScriptMove {
  readonly state: ScriptState
  /** What to say, one after the other. */
  readonly say: ReadonlyArray<Localized>
  /** Variables that the answer has set. */
  readonly set: Variables
  /** Listen for an answer, or leave the conversation in one of the ways out. */
  readonly next: "listen" | Exit
}

const asExit = (target: string): Exit | undefined => exits.find((exit) => exit === target)

const phrasesOf = (expectation: Expectation): ReadonlyArray<string> =>
  expectation.match === undefined ? [] : Object.values(expectation.match).flat()

const fits = (expectation: Expectation, heard: string): boolean =>
  (expectation.match === undefined || phrasesOf(expectation).some((phrase) => saysPhrase(heard, phrase))) &&
  (digitsOf(heard) !== "" || !Object.values(expectation.set).includes("$digits"))

const kept = (expectation: Expectation, heard: string): Variables =>
  Object.fromEntries(
    Object.entries(expectation.set).map(([name, value]) => [
      name,
      value === "$reply" ? heard.trim() : value === "$digits" ? digitsOf(heard) : value
    ])
  )

const after = (script: Script, step: ScriptStep): string => script[script.indexOf(step) + 1]?.id ?? "goodbye"

/** Says steps from `target` on, until one listens or the script is left; a circle of steps that never listen is left. */
const enter = (script: Script, target: string, set: Variables): ScriptMove => {
  const said: Array<ScriptStep> = []
  let go = target
  while (true) {
    const step = script.find((step) => step.id === go)
    if (step === undefined || said.includes(step)) {
      return { state: startAt(undefined), say: said.map((step) => step.say), set, next: asExit(go) ?? "goodbye" }
    }
    said.push(step)
    if (step.listen) return { state: startAt(step.id), say: said.map((step) => step.say), set, next: "listen" }
    go = step.otherwise ?? after(script, step)
  }
}

/**
 * Takes a script one answer further. `heard` is null at the beginning, where `state` may name the step to begin with
 * ({@link startAt}). Phrases of every language count, because people mix them.
 */
export const advance = (script: Script, state: ScriptState, heard: string | null): ScriptMove => {
  const step = script.find((step) => step.id === state.step)
  if (step === undefined || heard === null) return enter(script, step?.id ?? script[0].id, {})
  const found = step.expect.find((expectation) => fits(expectation, heard))
  if (found !== undefined) return enter(script, found.go ?? after(script, step), kept(found, heard))
  if (step.expect.length === 0) return enter(script, step.otherwise ?? after(script, step), {})
  if (state.misses >= step.retries) return enter(script, step.otherwise ?? "goodbye", {})
  return { state: { step: step.id, misses: state.misses + 1 }, say: [step.say], set: {}, next: "listen" }
}
