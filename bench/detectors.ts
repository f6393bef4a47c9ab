import { spawnSync } from "node:child_process"
import { percentile } from "./boards-timing.js"
import type { DetectorFigures, SceneFigures } from "./detectors-program.js"
import { start } from "./processes.js"
import { here, publish } from "./published.js"
import { report } from "./report.js"

/** Size of the measurement. */
export interface DetectorOptions {
  /** Scenes of each kind of noise at each distance; 2 by default. */
  readonly seeds?: number
}

const names = { energy: "energy", both: "energy with Silero", silero: "Silero alone" } as const
type Detector = keyof typeof names

/** Distance from speech to noise on a quiet line, in dB. */
const quiet = "40"

const measure = async (detector: Detector, seeds: number, distances?: string): Promise<DetectorFigures> => {
  const args = [detector, String(seeds), ...(distances === undefined ? [] : [distances])]
  const { child, firstMessage } = await start("detectors-program", args)
  child.disconnect()
  const figures: DetectorFigures = JSON.parse(firstMessage)
  return figures
}

const sum = (scenes: ReadonlyArray<SceneFigures>, of: (scene: SceneFigures) => number): number =>
  scenes.reduce((total, scene) => total + of(scene), 0)

/** Figures of scenes that matter most, for the table of results. */
const shortTextOf = (scenes: ReadonlyArray<SceneFigures>): string => {
  const utterances = sum(scenes, (scene) => scene.utterances)
  const minutes = sum(scenes, (scene) => scene.quietMillis) / 60_000
  const delays = scenes.flatMap((scene) => scene.delays)
  const lost = sum(scenes, (scene) => scene.blind + scene.missed)
  const share = (count: number) => `${(100 * count / utterances).toFixed(0)} %`
  return [
    `lost ${share(lost)}`,
    `cut ${share(sum(scenes, (scene) => scene.cut))}`,
    `false ${(sum(scenes, (scene) => scene.interruptions) / minutes).toFixed(0)}`,
    delays.length === 0 ? "no delay" : `delay ${percentile(delays, 50).toFixed(0)} ms`
  ].join(", ")
}

/** All figures of scenes. */
const textOf = (scenes: ReadonlyArray<SceneFigures>): string => {
  const utterances = sum(scenes, (scene) => scene.utterances)
  const minutes = sum(scenes, (scene) => scene.quietMillis) / 60_000
  const delays = scenes.flatMap((scene) => scene.delays)
  const ends = scenes.flatMap((scene) => scene.lateEnds)
  const share = (count: number) => `${(100 * count / utterances).toFixed(0)} %`
  return [
    `blind ${share(sum(scenes, (scene) => scene.blind))}`,
    `missed ${share(sum(scenes, (scene) => scene.missed))}`,
    `cut ${share(sum(scenes, (scene) => scene.cut))}`,
    `alarms ${(sum(scenes, (scene) => scene.alarms) / minutes).toFixed(1)}/min`,
    `interruptions ${(sum(scenes, (scene) => scene.interruptions) / minutes).toFixed(1)}/min`,
    delays.length === 0
      ? "no delay"
      : `delay p50 ${percentile(delays, 50).toFixed(0)} p95 ${percentile(delays, 95).toFixed(0)} ms`,
    `end +p50 ${percentile(ends, 50).toFixed(0)} p95 ${percentile(ends, 95).toFixed(0)} ms`
  ].join(", ")
}

/**
 * Compares detectors of speech on a corpus of espeak-ng's voices in noise: energy alone, energy with Silero on frames in doubt, and
 * Silero on every frame. In the table, `lost` are utterances that were not noticed, or that began while noise was taken for speech;
 * `cut` those that ended early; `false` the times a minute at which noise would have stopped the agent. The voices are synthetic, so the figures show regressions, and not how well people are heard.
 */
export const run = async ({ seeds = 2 }: DetectorOptions = {}): Promise<void> => {
  spawnSync(process.execPath, [here("../tools/with.mjs"), "test/clients"], { stdio: "inherit" })
  await publish("detectors-program.ts")
  const figures = {
    energy: await measure("energy", seeds),
    both: await measure("both", seeds),
    silero: await measure("silero", seeds)
  }
  const groups = Array.from(new Set(figures.energy.scenes.map(({ distance, kind }) => `${kind}, ${distance} dB`)))
  for (const group of groups) {
    const scenesOf = (detector: Detector) =>
      figures[detector].scenes.filter(({ distance, kind }) => `${kind}, ${distance} dB` === group)
    for (const detector of ["energy", "both", "silero"] as const) {
      console.log(`  ${group.padEnd(16)} ${names[detector].padEnd(19)} ${textOf(scenesOf(detector))}`)
    }
    report({
      path: `speech in noise: ${group}`,
      ours: `with Silero: ${shortTextOf(scenesOf("both"))}`,
      peer: `energy: ${shortTextOf(scenesOf("energy"))}; Silero alone: ${shortTextOf(scenesOf("silero"))}`,
      ratio: "",
      goal: ""
    })
  }
  const inQuiet = {
    energy: await measure("energy", 4 * seeds, quiet),
    both: await measure("both", 4 * seeds, quiet),
    silero: await measure("silero", 4 * seeds, quiet)
  }
  for (const [where, of] of [["in these noises", figures], ["on quiet lines", inQuiet]] as const) {
    const shareOf = (detector: Detector) => `${(100 * of[detector].share).toFixed(2)} % of a core`
    const path = `CPU of a call ${where}, ${of.energy.scenes.length} at once in one process`
    console.log(
      `  ${path}: ${
        (["energy", "both", "silero"] as const).map((each) => `${names[each]} ${shareOf(each)}`).join(", ")
      }`
    )
    report({
      path,
      ours: `with Silero ${shareOf("both")}`,
      peer: `energy ${shareOf("energy")}, Silero alone ${shareOf("silero")}`,
      ratio: `frames pushed at most ${of.both.latest.toFixed(0)} ms late`,
      goal: ""
    })
  }
}
