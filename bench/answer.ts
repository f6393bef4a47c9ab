import type { AnsweredBy } from "@trunkline/kernel"
import type { AnswerFigures } from "./answer-program.js"
import { percentile } from "./boards-timing.js"
import { start } from "./processes.js"
import { publish } from "./published.js"
import { report } from "./report.js"

type Verdicts = "first" | "firstBySound" | "last" | "lastBySound"

const verdictOf = (figures: AnswerFigures, which: Verdicts): AnsweredBy | null => figures[which]?.answered_by ?? null

const percent = (scenes: ReadonlyArray<AnswerFigures>, is: (scene: AnswerFigures) => boolean): string =>
  `${(100 * scenes.filter(is).length / scenes.length).toFixed(1)} %`

const nobody: ReadonlyArray<AnsweredBy | null> = ["machine", "screening", "ivr", "fax", "network"]

const isFalse = (which: Verdicts) => (scene: AnswerFigures): boolean => nobody.includes(verdictOf(scene, which))

const isFound = (which: Verdicts) => (scene: AnswerFigures): boolean => verdictOf(scene, which) === scene.by

const p95 = (scenes: ReadonlyArray<AnswerFigures>, which: Verdicts): string =>
  `${percentile(scenes.map((scene) => scene[which]?.decided_ms ?? Infinity), 95).toFixed(0)} ms`

const goals: Partial<Record<AnsweredBy, string>> = {
  person: "false < 2 %, p95 < 2,500 ms",
  machine: "found > 95 %, p95 < 2,500 ms"
}

const textOf = (scenes: ReadonlyArray<AnswerFigures>, by: AnsweredBy, bySound: boolean): string => {
  const [first, last] = bySound ? ["firstBySound", "lastBySound"] as const : ["first", "last"] as const
  const share = by === "person"
    ? `taken for something else ${percent(scenes, isFalse(first))}, later ${percent(scenes, isFalse(last))}`
    : `found ${percent(scenes, isFound(first))}, later ${percent(scenes, isFound(last))}`
  return `${share}, decided p95 ${p95(scenes, first)}`
}

const reportGroup = (name: string, by: AnsweredBy, scenes: ReadonlyArray<AnswerFigures>, goal = ""): void => {
  if (scenes.length === 0) return
  report({
    path: `${name}, ${scenes.length} calls`,
    ours: textOf(scenes, by, false),
    peer: `sound alone: ${textOf(scenes, by, true)}`,
    ratio: "",
    goal
  })
}

/**
 * Answers on a corpus of espeak-ng's voices at several paces in noise, with beeps and the tones of seven countries. Words
 * come 250 to 550 ms after they were said. "Later" counts the verdict that holds in the end, when a first one was replaced.
 * Texts that are held out had no part in the rules. The voices are synthetic: figures show regressions, not how well the people
 * of your lines are told from machines.
 */
export const run = async (): Promise<void> => {
  await publish("answer-program.ts")
  const { child, firstMessage } = await start("answer-program")
  child.disconnect()
  reportAnswers(JSON.parse(firstMessage))
}

/** Adds the figures of all scenes to the results, and prints those that were wrong. */
export const reportAnswers = (figures: ReadonlyArray<AnswerFigures>): void => {
  for (const by of ["person", "machine", "screening", "ivr"] as const) {
    const of = figures.filter((scene) => scene.by === by)
    reportGroup(by, by, of, goals[by] ?? "")
    reportGroup(`${by}, texts held out`, by, of.filter(({ isHeldOut }) => isHeldOut))
    for (const language of ["en", "hi"]) {
      reportGroup(`${by}, ${language}`, by, of.filter((scene) => scene.language === language))
    }
  }
  for (const by of ["network", "fax", "silence"] as const) {
    reportGroup(`tones: ${by}`, by, figures.filter((scene) => scene.by === by))
  }
  const micros = figures.map((scene) => scene.micros)
  report({
    path: "CPU of a frame of 20 ms, µs",
    ours: `p50 ${percentile(micros, 50).toFixed(1)}`,
    peer: "none",
    ratio: "",
    goal: ""
  })
  const wrong = figures.filter((scene) => scene.by === "person" ? isFalse("first")(scene) : !isFound("last")(scene))
  for (const { first, language, last, text } of wrong.slice(0, 60)) {
    console.log(
      `  ${language} "${text}": ${first?.answered_by} by ${first?.evidence} after ${first?.decided_ms} ms, then ${last?.answered_by}`
    )
  }
}
