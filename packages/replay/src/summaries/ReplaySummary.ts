import type { CallReplay } from "../replays/ReplayCall.js"

/** A call that could not be replayed, and why. */
export interface SkippedReplay {
  readonly attempt_id: string
  readonly status: "skipped"
  readonly reason: string
}

/** Counts by name. */
export type Counts = Readonly<Record<string, number>>

/** Sum of many replays. */
export interface ReplaySummary {
  readonly calls: number
  readonly same: number
  readonly changed: number
  /** Calls that stopped where nothing had an answer: a model would tell. */
  readonly open: number
  readonly skipped: number
  /** Calls whose completion status changes, such as `completed to partial`. */
  readonly outcomes: Counts
  /** Calls by each variable whose value changes. */
  readonly variables: Counts
  /** Calls by each tool that is used otherwise. */
  readonly tools: Counts
  /** Calls in which the agent says something else. */
  readonly words: number
  /** Calls by the reason why the trace held no more. */
  readonly divergences: Counts
  /** Calls by the reason why they could not be replayed. */
  readonly reasons: Counts
  /** Tools that would have been called, and were not. */
  readonly tools_not_run: Counts
  /** Calls in which the caller had no more words. */
  readonly caller_ran_out: number
  readonly answers: { readonly trace: number; readonly model: number }
  /** Tokens of new answers of the model. */
  readonly tokens: { readonly input: number; readonly output: number }
  /** Tokens that the calls took after the place where their traces held no more: what a model is likely to take. */
  readonly tokens_expected: { readonly input: number; readonly output: number }
}

/** The sum of no replays. */
export const emptySummary: ReplaySummary = {
  calls: 0,
  same: 0,
  changed: 0,
  open: 0,
  skipped: 0,
  outcomes: {},
  variables: {},
  tools: {},
  words: 0,
  divergences: {},
  reasons: {},
  tools_not_run: {},
  caller_ran_out: 0,
  answers: { trace: 0, model: 0 },
  tokens: { input: 0, output: 0 },
  tokens_expected: { input: 0, output: 0 }
}

const countsWith = (counts: Counts, names: Iterable<string>): Counts => {
  const next: Record<string, number> = { ...counts }
  for (const name of new Set(names)) next[name] = (next[name] ?? 0) + 1
  return next
}

const sum = (one: ReplaySummary["tokens"], other: ReplaySummary["tokens"]): ReplaySummary["tokens"] => ({
  input: one.input + other.input,
  output: one.output + other.output
})

/** Adds a replay to a sum. */
export const addReplay = (summary: ReplaySummary, replay: CallReplay | SkippedReplay): ReplaySummary => {
  const calls = summary.calls + 1
  if (replay.status === "skipped") {
    return { ...summary, calls, skipped: summary.skipped + 1, reasons: countsWith(summary.reasons, [replay.reason]) }
  }
  const { after, before, differences, divergence, status } = replay
  const namesOf = (kind: string) => differences.flatMap((one) => one.kind === kind ? [one.name] : [])
  return {
    ...summary,
    calls,
    [status]: summary[status] + 1,
    outcomes: after === null || after.completion_status === before.completion_status
      ? summary.outcomes
      : countsWith(summary.outcomes, [`${before.completion_status} to ${after.completion_status}`]),
    variables: countsWith(summary.variables, namesOf("variable")),
    tools: countsWith(summary.tools, namesOf("tool")),
    words: summary.words + (differences.some(({ kind }) => kind === "words") ? 1 : 0),
    divergences: divergence === null ? summary.divergences : countsWith(summary.divergences, [divergence.reason]),
    tools_not_run: countsWith(summary.tools_not_run, replay.tools_not_run.map(({ name }) => name)),
    caller_ran_out: summary.caller_ran_out + (replay.caller_ran_out ? 1 : 0),
    answers: {
      trace: summary.answers.trace + replay.answers.trace,
      model: summary.answers.model + replay.answers.model
    },
    tokens: sum(summary.tokens, replay.tokens),
    tokens_expected: sum(summary.tokens_expected, replay.tokens_expected)
  }
}
