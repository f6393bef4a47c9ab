import { type Variables, VariableValue } from "@trunkline/kernel"
import { Schema } from "effect"
import { byLanguage, Localized, optional, VariableName } from "./Templates.js"

/** The exits of a script. Every other target is the id of a step. */
export const exits = ["goodbye", "business_retry", "reschedule"] as const
export type Exit = (typeof exits)[number]

/** Id of a step, or an exit. Property tests take exits, which are targets in each script. */
const Target = Schema.NonEmptyString.annotations({ arbitrary: () => (fc) => fc.constantFrom<string>(...exits) })

const Phrases = Schema.NonEmptyArray(Schema.NonEmptyString)

/** An expected reply and its consequences. */
export const Expectation = Schema.Struct({
  /** Phrases of whole words of which the reply must contain one, by language or for all; absent: any reply. */
  match: optional(Schema.Union(Phrases, byLanguage(Phrases))),
  /** Variables to set: to a value, to the reply with `$reply`, or to its digits with `$digits` (then a reply needs digits to match). */
  set: Schema.optionalWith(Schema.Record({ key: VariableName, value: VariableValue }), {
    exact: true,
    default: () => ({})
  }),
  /** Id of a step or an exit; absent: the next step. */
  go: optional(Target)
})
export type Expectation = typeof Expectation.Type

/** A step of a script: a text to say and the expected replies. */
export const ScriptStep = Schema.Struct({
  id: Schema.NonEmptyString,
  say: Localized,
  /** False to continue at once. */
  listen: Schema.optionalWith(Schema.Boolean, { exact: true, default: () => true }),
  /** Tried in order. Without expectations any reply matches. */
  expect: Schema.optionalWith(Schema.Array(Expectation), { exact: true, default: () => [] }),
  /**
   * Target when no reply matches after the retries; absent: `goodbye`. A step without expectations or that does not
   * listen always goes there; absent: the next step.
   */
  otherwise: optional(Target),
  /** Number of repetitions of the step when no reply matches. */
  retries: Schema.optionalWith(Schema.Int.pipe(Schema.between(0, 5)), { exact: true, default: () => 1 })
})
export type ScriptStep = typeof ScriptStep.Type

interface ScriptIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

/** Invalid links of a script: duplicate ids, exits as ids, and unknown targets. */
const scriptIssues = (steps: ReadonlyArray<ScriptStep>): ReadonlyArray<ScriptIssue> => {
  const ids = steps.map((step) => step.id)
  const targets = new Set<string>([...ids, ...exits])
  const unknown = (path: ReadonlyArray<PropertyKey>, target: string | undefined): ReadonlyArray<ScriptIssue> =>
    target === undefined || targets.has(target) ? [] : [{ path, message: `there is no step or exit ${target}` }]
  return steps.flatMap((step, index) => [
    ...(ids.indexOf(step.id) < index ? [{ path: [index, "id"], message: `the step id ${step.id} is taken` }] : []),
    ...(exits.some((exit) => exit === step.id) ? [{ path: [index, "id"], message: `${step.id} is an exit` }] : []),
    ...step.expect.flatMap((expectation, at) => unknown([index, "expect", at, "go"], expectation.go)),
    ...unknown([index, "otherwise"], step.otherwise)
  ])
}

/** A conversation in steps. It starts at the first step and ends with `goodbye` after the last. */
export const Script = Schema.NonEmptyArray(ScriptStep).pipe(Schema.filter((steps) => scriptIssues(steps)))
export type Script = typeof Script.Type

/** Variables that a script sets which are not among the given names. */
export const undeclaredInScript = (script: Script, names: ReadonlyArray<string>) => {
  const variableNames = new Set(names)
  return script.flatMap((step, index) =>
    step.expect.flatMap((expectation, at) =>
      Object.keys(expectation.set)
        .filter((name) => !variableNames.has(name))
        .map((name) => ({
          path: ["script", index, "expect", at, "set", name],
          message: `${name} is neither a variable nor an output variable`
        }))
    )
  )
}

/** Position of a conversation in its script. */
export interface ScriptState {
  /** The step that waits for a reply; null when none does. */
  readonly step: string | null
  /** Number of replies to it that were not understood. */
  readonly misses: number
}

/** The state that begins a script at a step; an unknown or undefined id begins at the first step. */
export const startAt = (id: string | undefined): ScriptState => ({ step: id ?? null, misses: 0 })

/** The next move of a script. */
export interface ScriptMove {
  readonly state: ScriptState
  /** Texts to say, in order. */
  readonly say: ReadonlyArray<Localized>
  /** Variables that the reply has set. */
  readonly set: Variables
  /** Listen for a reply, or leave the script through an exit. */
  readonly next: "listen" | Exit
}

/** Code points of the zeros of the Indic scripts; the other nine digits of a script follow its zero. */
const zeros = [0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66]

const westernDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  const zero = zeros.find((zero) => code >= zero && code < zero + 10)
  return zero === undefined ? digit : String(code - zero)
}

/** Normalizes a spoken text for comparison: lower case, NFC, Western digits, and single spaces between words. */
export const normalizeSpoken = (text: string): string =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/\p{Nd}/gu, westernDigit)
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()

/** Returns true when a text contains the phrase as consecutive whole words. An empty phrase is never contained. */
export const containsPhrase = (text: string, phrase: string): boolean => {
  const words = normalizeSpoken(phrase)
  return words !== "" && ` ${normalizeSpoken(text)} `.includes(` ${words} `)
}

/** All digits of a text as one string of Western digits. */
export const digitsOf = (text: string): string => normalizeSpoken(text).replace(/\D/g, "")

const asExit = (target: string): Exit | undefined => exits.find((exit) => exit === target)

const phrasesOf = (expectation: Expectation): ReadonlyArray<string> =>
  expectation.match === undefined ? [] : Object.values(expectation.match).flat()

/** Phrases that a reply to the present step may contain, in all languages; none where any reply will do. */
export const expectedPhrases = (script: Script, { step }: ScriptState): ReadonlyArray<string> => {
  const expectations = script.find(({ id }) => id === step)?.expect ?? []
  return Array.from(new Set(expectations.flatMap(phrasesOf)))
}

const matches = (expectation: Expectation, words: string): boolean =>
  (expectation.match === undefined || phrasesOf(expectation).some((phrase) => containsPhrase(words, phrase))) &&
  (digitsOf(words) !== "" || !Object.values(expectation.set).includes("$digits"))

const valuesToSet = (expectation: Expectation, words: string): Variables =>
  Object.fromEntries(
    Object.entries(expectation.set).map(([name, value]) => [
      name,
      value === "$reply" ? words.trim() : value === "$digits" ? digitsOf(words) : value
    ])
  )

const stepAfter = (script: Script, step: ScriptStep): string => script[script.indexOf(step) + 1]?.id ?? "goodbye"

/** Says steps from `target` on until one listens or the script ends. A cycle of steps that never listen ends it too. */
const enter = (script: Script, target: string, set: Variables): ScriptMove => {
  const trail: Array<ScriptStep> = []
  let go = target
  while (true) {
    const step = script.find((step) => step.id === go)
    if (step === undefined || trail.includes(step)) {
      return { state: startAt(undefined), say: trail.map((step) => step.say), set, next: asExit(go) ?? "goodbye" }
    }
    trail.push(step)
    if (step.listen) return { state: startAt(step.id), say: trail.map((step) => step.say), set, next: "listen" }
    go = step.otherwise ?? stepAfter(script, step)
  }
}

/**
 * Advances a script by one reply. `heard` is null at the beginning, where `state` may name the first step
 * ({@link startAt}). Phrases of all languages match, because callers mix languages.
 */
export const advance = (script: Script, state: ScriptState, words: string | null): ScriptMove => {
  const step = script.find((step) => step.id === state.step)
  if (step === undefined || words === null) return enter(script, step?.id ?? script[0].id, {})
  const branch = step.expect.find((expectation) => matches(expectation, words))
  if (branch !== undefined) return enter(script, branch.go ?? stepAfter(script, step), valuesToSet(branch, words))
  if (step.expect.length === 0) return enter(script, step.otherwise ?? stepAfter(script, step), {})
  if (state.misses >= step.retries) return enter(script, step.otherwise ?? "goodbye", {})
  return { state: { step: step.id, misses: state.misses + 1 }, say: [step.say], set: {}, next: "listen" }
}
