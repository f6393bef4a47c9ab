import { readOutput } from "@trunkline/agents"
import { isJsonObject, parseJson, type Variables, type VariableValue } from "@trunkline/kernel"
import { Either } from "effect"
import type { AfterCallQuestion } from "./Question.js"

/** Findings of a model about a call. */
export interface AnswerFindings {
  /** Null when none was wanted. */
  readonly summary: string | null
  readonly variables: Variables
}

/** Longest answer that is read, in UTF-16 units. */
const maxAnswer = 100_000

/** Most problems that are listed. */
const maxProblems = 20

/** A text within a number of characters, cut after a word where it is longer. */
export const cutText = (text: string, max: number): string => {
  if (text.length <= max) return text
  const start = text.slice(0, max - 1)
  const end = start.lastIndexOf(" ")
  return `${(end > max / 2 ? start.slice(0, end) : start).trimEnd()}…`
}

/** JSON that some models put between fences of Markdown. */
const withoutFences = (text: string): string => /^```(?:json)?\s*([\s\S]*?)\s*```$/.exec(text.trim())?.[1] ?? text

const readSummary = (answer: object, max: number, problems: Array<string>): string | null => {
  const summary: unknown = "summary" in answer ? answer.summary : undefined
  if (typeof summary === "string" && summary.trim() !== "") return cutText(summary.trim(), max)
  problems.push("summary must be a text that is not empty")
  return null
}

const readVariables = (
  answer: object,
  { outputs }: Pick<AfterCallQuestion, "outputs">,
  problems: Array<string>
): Variables => {
  const values: unknown = "variables" in answer ? answer.variables : undefined
  if (!isJsonObject(values)) {
    problems.push("variables must be an object")
    return {}
  }
  const read: Record<string, VariableValue> = {}
  for (const output of outputs) {
    const value = Object.hasOwn(values, output.name) ? values[output.name] : undefined
    const result = value === undefined
      ? Either.left("is missing: give null where the call does not tell it")
      : readOutput({ ...output, type: output.type ?? "string" }, value)
    if (Either.isRight(result)) read[output.name] = result.right
    else if (problems.length < maxProblems) problems.push(`variables.${output.name} ${result.left}`)
  }
  return read
}

/**
 * Reads the answer of a model. The left side lists what does not fit; no sentence repeats a value. Fields that nobody asked for are
 * dropped, and a summary that is too long is cut.
 */
export const readAnswer = (
  question: Pick<AfterCallQuestion, "outputs" | "summary">,
  text: string
): Either.Either<AnswerFindings, ReadonlyArray<string>> => {
  if (text.length > maxAnswer) return Either.left(["the answer is far too long"])
  const answer = parseJson(withoutFences(text))
  if (!isJsonObject(answer)) return Either.left(["the answer must be one JSON object and nothing else"])
  const problems: Array<string> = []
  const summary = question.summary === null ? null : readSummary(answer, question.summary.max_characters, problems)
  const variables = question.outputs.length === 0 ? {} : readVariables(answer, question, problems)
  return problems.length === 0 ? Either.right({ summary, variables }) : Either.left(problems)
}
