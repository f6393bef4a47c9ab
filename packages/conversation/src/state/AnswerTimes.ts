import { makeHistogram } from "@trunkline/kernel"
import type { CallState } from "./CallState.js"

const bounds = [0.2, 0.4, 0.5, 0.6, 0.8, 1, 1.5, 2, 3, 5]

const turnGap = makeHistogram({
  name: "trunkline_turn_gap_seconds",
  help: "Time from the last voice of the caller to the first sound of the agent",
  bounds
})

const answerStep = makeHistogram({
  name: "trunkline_answer_step_seconds",
  help: "Time from the last voice of the caller to a step of the answer",
  labels: { step: ["words", "first_token", "first_clause"] },
  bounds
})

/** Adds the answers of a call to the metrics. */
export const measureAnswers = ({ turns }: CallState): void => {
  for (const { timings } of turns) {
    if (timings === undefined || timings.ended_at === null) continue
    const { ended_at, first_clause_at, first_sound_at, first_token_at, words_at } = timings
    if (first_sound_at !== null) turnGap.record((first_sound_at - ended_at) / 1_000)
    const steps = { words: words_at, first_token: first_token_at, first_clause: first_clause_at }
    for (const [step, at] of Object.entries(steps)) {
      if (at !== null) answerStep.record((at - ended_at) / 1_000, { step })
    }
  }
}
