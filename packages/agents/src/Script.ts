import { VariableValue } from "@trunkline/kernel"
import { Schema } from "effect"
import { Localized } from "./Localized.js"
import { optional } from "./Optional.js"
import { VariableName } from "./Variables.js"

/** The ways out of a script. Everything else that a script goes to is the id of a step. */
export const exits = ["goodbye", "business_retry", "reschedule"] as const
export type Exit = (typeof exits)[number]

const Phrases = Schema.NonEmptyArray(Schema.NonEmptyString)

/** One kind of answer, and what it leads to. */
export const Expectation = Schema.Struct({
  /** Words or phrases of which one must be said, by language or for all; absent: any answer. Whole words, no patterns. */
  match: optional(Schema.Union(Phrases, Schema.Record({ key: Schema.String, value: Phrases }))),
  /** Variables to keep: a value, `$reply` for what was said, `$digits` for its digits (then only answers with digits match). */
  set: Schema.optionalWith(Schema.Record({ key: VariableName, value: VariableValue }), {
    exact: true,
    default: () => ({})
  }),
  /** A step id or an exit; absent: the next step. */
  go: optional(Schema.NonEmptyString)
})
export type Expectation = typeof Expectation.Type

/** One thing to say, and what to make of the answer. */
export const ScriptStep = Schema.Struct({
  id: Schema.NonEmptyString,
  say: Localized,
  /** False: go on at once. */
  listen: Schema.optionalWith(Schema.Boolean, { exact: true, default: () => true }),
  /** Tried in order. A step that listens without expectations takes any answer. */
  expect: Schema.optionalWith(Schema.Array(Expectation), { exact: true, default: () => [] }),
  /**
   * Where to go when no answer fits after the retries; absent: `goodbye`. A step that expects nothing or does not
   * listen always goes there; absent: the next step.
   */
  otherwise: optional(Schema.NonEmptyString),
  /** How often the step is said again when no answer fits. */
  retries: Schema.optionalWith(Schema.Int.pipe(Schema.between(0, 5)), { exact: true, default: () => 1 })
})
export type ScriptStep = typeof ScriptStep.Type

interface ScriptIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

/** What is wrong with the links of a script: ids said twice, an exit's name as id, targets that do not exist. */
export const scriptIssues = (steps: ReadonlyArray<ScriptStep>): ReadonlyArray<ScriptIssue> => {
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

/** A conversation written down step by step: it starts at the first step and ends with `goodbye` after the last. */
export const Script = Schema.NonEmptyArray(ScriptStep).pipe(Schema.filter((steps) => scriptIssues(steps)))
export type Script = typeof Script.Type
