import type { FlowEvent } from "@trunkline/conversation/steps"
import type { Completion, ToolRequest } from "@trunkline/models"
import type { EndedBy, Heard } from "@trunkline/telephony"
import type { CallTrace, TraceEntry } from "../trace/CallTrace.js"
import { canonical } from "../trace/Fingerprint.js"

/** Words or keys of the caller, after a pause in milliseconds. */
export interface CallerInput {
  readonly heard: Heard
  readonly pause: number
}

/** An answer of a tool. */
export interface ToolAnswer {
  readonly content: string
  readonly outcome: "done" | "failed"
  readonly set: Readonly<Record<string, string | number | boolean | null>>
}

/** Rest of a trace, which still answers after an agent has gone another way. */
export interface RestOfTrace {
  /** Words and keys of the caller from there on. */
  readonly inputs: ReadonlyArray<CallerInput>
  /** The side that ended the call; the caller hangs up again only where they did. */
  readonly endedBy: EndedBy
  /** The answer to a request of the same meaning, wherever it is in the trace; null without one. */
  readonly completionOf: (fingerprint: string) => Completion | null
  /** The next answer of a tool to the same arguments, or the last one again; null without one. */
  readonly answerOf: (request: Pick<ToolRequest, "name" | "arguments">) => ToolAnswer | null
}

/** The pauses before inputs are those of the caller: from the end of what came before. */
const inputsOf = (entries: ReadonlyArray<TraceEntry>, from: number): ReadonlyArray<CallerInput> => {
  let before = from
  let silence = 0
  return entries.flatMap(({ at, event }) => {
    const pause = Math.max(0, at - before)
    before = at
    if (event._tag !== "Heard") {
      silence = 0
      return []
    }
    if (event.heard._tag === "Silent") {
      silence += pause
      return []
    }
    const input = { heard: event.heard, pause: silence + pause }
    silence = 0
    return [input]
  })
}

const completionIn = (event: FlowEvent): Completion | null => {
  if (event._tag === "Thought") return event.completion
  return event._tag === "Replied" && event.reply.failure === null && event.reply.completion.finish !== "length"
    ? event.reply.completion
    : null
}

const keyOf = ({ arguments: args, name }: Pick<ToolRequest, "name" | "arguments">): string =>
  `${name} ${canonical(args)}`

/** Reads what a trace answers after its first entries. */
export const restOfTrace = ({ end, entries, started_at }: CallTrace, place: number): RestOfTrace => {
  const completions = new Map<string, Completion>()
  const answers = new Map<string, Array<ToolAnswer>>()
  for (const [index, { asked, event }] of entries.entries()) {
    const completion = completionIn(event)
    if (asked !== undefined && completion !== null && !completions.has(asked)) completions.set(asked, completion)
    if (event._tag !== "ToolsAnswered" && event._tag !== "TimeUp") continue
    for (const { content, outcome, request, set } of event.outcomes) {
      if (outcome === "refused" || outcome === "wrong_arguments") continue
      const key = keyOf(request)
      const answer: ToolAnswer = { content, set, outcome: outcome === "done" ? "done" : "failed" }
      const keptToolAnswers = answers.get(key) ?? []
      // Answers of before the place were given already; only the last of them is given again.
      answers.set(key, index < place ? [answer] : [...keptToolAnswers, answer])
    }
  }
  return {
    inputs: [
      ...inputsOf(entries.slice(place), entries[place - 1]?.at ?? started_at),
      ...end.last_words.map((heard) => ({ heard, pause: 0 }))
    ],
    endedBy: end.report.ended_by,
    completionOf: (fingerprint) => completions.get(fingerprint) ?? null,
    answerOf: (request) => {
      const keptToolAnswers = answers.get(keyOf(request)) ?? []
      return (keptToolAnswers.length > 1 ? keptToolAnswers.shift() : keptToolAnswers[0]) ?? null
    }
  }
}
