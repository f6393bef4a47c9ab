import type { ReplayDifference } from "../replays/Differences.js"
import type { CallReplay } from "../replays/ReplayCall.js"
import type { ReplayResult } from "./ReplayCalls.js"
import type { Counts, ReplaySummary } from "./ReplaySummary.js"

const differenceText = ({ after, before, kind, name }: ReplayDifference): ReadonlyArray<string> =>
  kind === "words"
    ? [...before === null ? [] : [`  - ${name}: ${before}`], ...after === null ? [] : [`  + ${name}: ${after}`]]
    : kind === "tool"
    ? [...before === null ? [] : [`  - tool ${before}`], ...after === null ? [] : [`  + tool ${after}`]]
    : [`  ${kind} ${name}: ${before ?? "nothing"} -> ${after ?? "nothing"}`]

const headOf = ({ attempt_id, from, status, to }: CallReplay): string => {
  const name = ({ app_id, app_version }: CallReplay["from"]) => `${app_id}@${app_version}`
  return `${attempt_id}  ${name(from)} -> ${name(to)}  ${status}`
}

/** Writes the result of a replay for a person, line by line. */
export const renderReplay = (replay: ReplayResult): string => {
  if (replay.status === "skipped") return `${replay.attempt_id}  skipped: ${replay.reason}`
  const { answers, caller_ran_out, differences, divergence, status, tools_not_run } = replay
  return [
    headOf(replay),
    ...divergence === null ? [] : [`  The trace holds up to turn ${divergence.turn}: ${divergence.reason}.`],
    ...status === "open" ? ["  Nothing answers from there on. With a model the replay goes on."] : [],
    ...answers.model > 0 ? [`  ${answers.model} answers are new, ${answers.trace} are those of the trace.`] : [],
    ...caller_ran_out ? ["  The caller had no more words: what follows in a real call is not known."] : [],
    ...tools_not_run.map((tool) => `  Would call ${tool.name}(${tool.arguments}), and did not.`),
    ...differences.flatMap(differenceText)
  ].join("\n")
}

const countsText = (title: string, counts: Counts): ReadonlyArray<string> =>
  Object.keys(counts).length === 0 ? [] : [
    title,
    ...Object.entries(counts).toSorted(([, a], [, b]) => b - a).map(([name, count]) => `  ${count}  ${name}`)
  ]

/** Writes the sum of many replays for a person. */
export const renderSummary = (summary: ReplaySummary): string => {
  const { answers, calls, caller_ran_out, changed, open, same, skipped, tokens, words } = summary
  return [
    `${calls} calls: ${same} the same, ${changed} changed, ${open} open, ${skipped} skipped`,
    ...countsText("Outcomes that change:", summary.outcomes),
    ...countsText("Variables that change:", summary.variables),
    ...countsText("Tools that are used otherwise:", summary.tools),
    ...words === 0 ? [] : [`The agent says something else in ${words} calls`],
    ...countsText("Where traces hold no more:", summary.divergences),
    ...countsText("Tools that would be called, and were not:", summary.tools_not_run),
    ...caller_ran_out === 0 ? [] : [`The caller had no more words in ${caller_ran_out} calls`],
    ...countsText("Not replayed:", summary.reasons),
    ...answers.model === 0
      ? []
      : [`${answers.model} new answers of the model: ${tokens.input} tokens in, ${tokens.output} out`]
  ].join("\n")
}
