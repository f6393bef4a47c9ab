import type { AnsweredBy } from "@trunkline/kernel"
import type { AnswerFigures } from "./answer-program.js"
import { percentile } from "./boards-timing.js"
import { start } from "./processes.js"
import { publish } from "./published.js"
import { report } from "./report.js"

type Hearing = "verdicts" | "verdictsBySound"

const percent = (scenes: ReadonlyArray<AnswerFigures>, is: (scene: AnswerFigures) => boolean): string =>
  `${(100 * scenes.filter(is).length / scenes.length).toFixed(1)} %`

const seconds = (millis: number): string => `${(millis / 1_000).toFixed(2)} s`

/** Delays in a middle and a late case, from the answer and from the first sound. */
const delays = (scenes: ReadonlyArray<AnswerFigures>, delayOf: (scene: AnswerFigures) => number): string => {
  const all = scenes.map(delayOf)
  const since = scenes.map((scene) => delayOf(scene) - scene.from)
  return `p50 ${seconds(percentile(all, 50))}, p95 ${seconds(percentile(all, 95))}; from the first sound ${
    seconds(percentile(since, 95))
  }`
}

const nobody: ReadonlyArray<AnsweredBy | undefined> = ["machine", "screening", "ivr", "fax", "network"]

/** The most time that a verdict should take, in milliseconds. */
const goalMillis = 2_500

const goals: Partial<Record<AnsweredBy, string>> = {
  person: "false < 2 %, p95 < 2.50 s",
  machine: "found > 95 %, p95 < 2.50 s"
}

const personText = (scenes: ReadonlyArray<AnswerFigures>, hearing: Hearing): string => {
  const isFalse = (at: number) => (scene: AnswerFigures) => nobody.includes(scene[hearing].at(at)?.answered_by)
  const isEverFalse = (scene: AnswerFigures) => scene[hearing].some(({ answered_by }) => nobody.includes(answered_by))
  return `false: first verdict ${percent(scenes, isFalse(0))}, any ${percent(scenes, isEverFalse)}, last ${
    percent(scenes, isFalse(-1))
  }; decided ${delays(scenes, (scene) => scene[hearing].at(0)?.decided_ms ?? Infinity)}`
}

const foundText = (scenes: ReadonlyArray<AnswerFigures>, hearing: Hearing): string => {
  const isFound = (at: number) => (scene: AnswerFigures) => scene[hearing].at(at)?.answered_by === scene.by
  const rightAt = (scene: AnswerFigures) =>
    scene[hearing].find(({ answered_by }) => answered_by === scene.by)?.decided_ms ?? Infinity
  return `found ${percent(scenes, isFound(-1))}, by the first verdict ${percent(scenes, isFound(0))}, by 2.50 s ${
    percent(scenes, (scene) => rightAt(scene) < goalMillis)
  }; decided ${delays(scenes, (scene) => scene[hearing].at(0)?.decided_ms ?? Infinity)}; rightly ${
    delays(scenes, rightAt)
  }`
}

const reportGroup = (name: string, by: AnsweredBy, scenes: ReadonlyArray<AnswerFigures>, goal = ""): void => {
  if (scenes.length === 0) return
  const textOf = by === "person" ? personText : foundText
  report({
    path: `${name}, ${scenes.length} calls`,
    ours: textOf(scenes, "verdicts"),
    peer: `sound alone: ${textOf(scenes, "verdictsBySound")}`,
    ratio: "",
    goal
  })
}

/**
 * Answers on a corpus of espeak-ng's voices at several paces in noise, with beeps and the tones of seven countries. Words
 * come 250 to 550 ms after they were said. The first sound comes 150 to 800 ms after the answer; in calls that begin late, after one
 * to two seconds. Delays are from the answer, and beside it from the first sound. "First verdict" is the one that the agent acts on, "last"
 * the one that holds 20 seconds after the answer. Rules are written by the development part; texts and voices of the final part
 * have none in them, and what goes wrong there is not printed. All is simulated, so that only the CPU depends on the machine. The voices
 * are synthetic: figures show regressions, not how well the people of your lines are told from machines.
 */
export const run = async (): Promise<void> => {
  await publish("answer-program.ts")
  const { child, firstMessage } = await start("answer-program")
  child.disconnect()
  reportAnswers(JSON.parse(firstMessage))
}

const reportPart = (name: string, scenes: ReadonlyArray<AnswerFigures>, hasGoals: boolean): void => {
  for (const by of ["person", "machine", "screening", "ivr"] as const) {
    const of = scenes.filter((scene) => scene.by === by && !scene.isLate)
    reportGroup(`${name}: ${by}`, by, of, hasGoals ? goals[by] : "")
    for (const language of ["en", "hi"]) {
      reportGroup(`${name}: ${by}, ${language}`, by, of.filter((scene) => scene.language === language))
    }
    reportGroup(`${name}: ${by}, begins late`, by, scenes.filter((scene) => scene.by === by && scene.isLate))
  }
}

/** Adds the figures of all scenes to the results, and prints those of the development part that went wrong. */
export const reportAnswers = (figures: ReadonlyArray<AnswerFigures>): void => {
  const spoken = figures.filter(({ text }) => text !== "")
  const partOf = (part: AnswerFigures["part"]) => spoken.filter((scene) => scene.part === part)
  reportPart("final", partOf("final"), true)
  reportPart("development", partOf("development"), false)
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
  const wrong = partOf("development").filter(({ by, verdicts }) => verdicts[0]?.answered_by !== by)
  for (const { by, language, text, verdicts } of wrong.slice(0, 60)) {
    const told = verdicts.map((verdict) =>
      `${verdict.answered_by} by ${verdict.evidence} after ${verdict.decided_ms} ms`
    )
    console.log(`  ${by}, ${language} "${text}": ${told.join(", ")}`)
  }
}
