import type { Spoken } from "@trunkline/telephony"
import { DateTime } from "effect"
import type { CallTrace } from "../trace/CallTrace.js"
import { withInventedValues } from "./InventedValues.js"

/** Words a second of an agent in a test. */
const wordsPerSecond = 3

/** Pause of the caller in seconds that a test leaves to its harness. */
const usualPause = 2

const json = (value: unknown): string => JSON.stringify(value)

const secondsOf = (millis: number): number => Math.round(millis / 100) / 10

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text === "" ? "{}" : text)
  } catch {
    return text
  }
}

const spokenIn = ({ event }: CallTrace["entries"][number]): Spoken | null =>
  event._tag === "Spoke" || event._tag === "CutOff"
    ? event.spoken
    : event._tag === "Replied"
    ? event.reply.spoken
    : null

/** Lines of the script of the caller. */
const callerLines = ({ entries, started_at }: CallTrace): ReadonlyArray<string> => {
  let before = started_at
  let silence = 0
  let cutAfter: number | null = null
  return entries.flatMap((entry) => {
    const { at, event } = entry
    const pause = silence + at - before
    before = at
    silence = 0
    const utterance = spokenIn(entry)
    if (utterance !== null) {
      cutAfter = utterance.interrupted ? (utterance.heard.match(/\S+/gu) ?? []).length / wordsPerSecond : null
      return []
    }
    if (event._tag === "LineEnded") return event.by === "user" ? ["await caller.hangsUp()"] : []
    if (event._tag !== "Heard") return []
    const { heard } = event
    if (heard._tag === "Silent") silence = pause
    if (heard._tag === "Pressed") return [`await caller.presses(${json(heard.digit)})`]
    if (heard._tag !== "Said") return []
    const after = cutAfter
    cutAfter = null
    const text = json(heard.text)
    if (after !== null) {
      return [`await caller.interrupts(${text}, { after: ${Math.max(0.3, secondsOf(after * 1_000))} })`]
    }
    return [
      pause / 1_000 > usualPause
        ? `await caller.says(${text}, { pause: ${secondsOf(pause)} })`
        : `await caller.says(${text})`
    ]
  })
}

/** Answers of the model in the trace, in order. */
const answersOf = ({ entries }: CallTrace): ReadonlyArray<string> =>
  entries.flatMap(({ event }) => {
    const completion = event._tag === "Thought"
      ? event.completion
      : event._tag === "Replied"
      ? event.reply.completion
      : null
    if (completion === null) return []
    const { text, toolRequests } = completion
    return [json({ text, ...(toolRequests.length > 0 && { toolRequests }) })]
  })

/** Answers of tools in the trace, by name and in order. */
const toolAnswersOf = ({ entries }: CallTrace): ReadonlyMap<string, ReadonlyArray<string>> => {
  const answers = new Map<string, Array<string>>()
  for (const { event } of entries) {
    if (event._tag !== "ToolsAnswered") continue
    for (const { content, outcome, request: { name }, set } of event.outcomes) {
      if (outcome !== "done") continue
      const answer = Object.keys(set).length === 0 ? json(content) : `toolOutput(${json(content)}, ${json(set)})`
      answers.set(name, [...answers.get(name) ?? [], answer])
    }
  }
  return answers
}

/** Expectations that the call itself meets. */
const expectationsOf = ({ end: { report } }: CallTrace): ReadonlyArray<string> => {
  const status = report.fault !== null ? "failed" : report.agent_done ? "completed" : "partial"
  return [
    `.outcome(${json(status)})`,
    ...report.transcript.flatMap(({ tool_arguments = "", tool_name, tool_outcome }) =>
      tool_name === undefined || tool_outcome !== "done"
        ? []
        : [`.used(${json(tool_name)}, ${json(parse(tool_arguments))})`]
    ),
    ...Object.keys(report.output_agent_variables).length === 0
      ? []
      : [`.variables(${json(report.output_agent_variables)})`]
  ]
}

const optionsOf = (trace: CallTrace): ReadonlyArray<string> => {
  const { initial_bot_message, initial_language_name, initial_state_name } = trace.app_overrides
  const opening = { language: initial_language_name, state: initial_state_name, firstMessage: initial_bot_message }
  return [
    `direction: ${json(trace.direction)}`,
    `at: ${json(DateTime.formatIso(DateTime.unsafeMake(trace.started_at)))}`,
    ...Object.keys(trace.agent_variables).length === 0 ? [] : [`variables: ${json(trace.agent_variables)}`],
    ...Object.entries(opening).flatMap(([name, value]) => value === undefined ? [] : [`${name}: ${json(value)}`])
  ]
}

const indent = (lines: ReadonlyArray<string>, depth: number, end = ""): string =>
  lines.map((line) => `${"  ".repeat(depth)}${line}`).join(`${end}\n`)

/** Options of a written test. */
export interface WrittenTest {
  /** Module that exports the agent under test as `agent`; `./agent.js` by default. */
  readonly from?: string
}

/**
 * Writes a test for `trunkline/testing` from the trace of a call, with invented names, numbers and addresses: the caller says what
 * they said, and the model and the tools answer what they answered. The test expects what came of the call: change that to
 * what should have come of it.
 */
export const writeTest = (recordedTrace: CallTrace, { from = "./agent.js" }: WrittenTest = {}): string => {
  const trace = withInventedValues(recordedTrace)
  const answers = answersOf(trace)
  const tools = Array.from(toolAnswersOf(trace))
  const isSetting = tools.some(([, texts]) => texts.some((text) => text.startsWith("toolOutput")))
  const lines = callerLines(trace)
  return [
    ...isSetting ? [`import { toolOutput } from "trunkline"`] : [],
    `import { expectCall, testAgent } from "trunkline/testing"`,
    `import { it } from "vitest"`,
    `import { agent } from ${json(from)}`,
    "",
    ...answers.length === 0 ? [] : [
      "/** Answers of the model in the recorded call. Pass your own model in place of them to test a changed prompt. */",
      `const answers = [\n${indent(answers, 1, ",")}\n]`,
      "const model = { generate: async () => answers.shift() ?? { text: \"Goodbye.\" } }",
      ""
    ],
    ...tools.length === 0 ? [] : [
      "/** Answers of the tools, in order; the last one again for further uses. */",
      "const inOrder = (results: Array<unknown>) => () => results.length > 1 ? results.shift() : results[0]",
      `const tools = {\n${
        indent(tools.map(([name, texts]) => `${json(name)}: inOrder([${texts.join(", ")}])`), 1, ",")
      }\n}`,
      ""
    ],
    `it(${json(`holds the call of ${trace.app_id} as recorded`)}, async () => {`,
    `  const tested = testAgent(agent${
      answers.length + tools.length === 0
        ? ""
        : `, { ${[...answers.length > 0 ? ["model"] : [], ...tools.length > 0 ? ["tools"] : []].join(", ")} }`
    })`,
    lines.length === 0
      ? "  const call = await tested.call(() => {}, {"
      : "  const call = await tested.call(async (caller) => {",
    ...lines.length === 0 ? [] : [indent(lines, 2), "  }, {"],
    indent(optionsOf(trace), 2, ","),
    "  })",
    "  // Change this to what should have happened.",
    `  expectCall(call)${expectationsOf(trace).join("")}`,
    "})",
    ""
  ].join("\n")
}
