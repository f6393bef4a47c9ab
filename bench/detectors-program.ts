import { type FrameActivity, VoiceActivityDetection, type VoiceActivityDetector } from "@trunkline/audio"
import { VadSilero } from "@trunkline/onnx"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { Effect, Layer } from "effect"
import { type Scene, sceneRate, scenes } from "./detectors-sounds.js"
import { here } from "./published.js"

/** Figures of a detector in a scene. Times in milliseconds. */
export interface SceneFigures {
  readonly kind: string
  readonly distance: number
  readonly utterances: number
  /** Utterances before which the detector took noise for speech already, so that it tells nothing of them. */
  readonly blind: number
  /** Utterances that were not noticed within half a second. */
  readonly missed: number
  /** Utterances in which 400 ms of speech were taken for silence. */
  readonly cut: number
  /** From the first sound of each utterance that was noticed in time, and not blindly. */
  readonly delays: ReadonlyArray<number>
  /** From the end of each utterance to 200 ms of silence, without these. */
  readonly lateEnds: ReadonlyArray<number>
  /** Times at which noise was taken for speech, and those at which an agent would have stopped. */
  readonly alarms: number
  readonly interruptions: number
  /** Time without speech, in which these were counted. */
  readonly quietMillis: number
}

/** All scenes with a detector. */
export interface DetectorFigures {
  readonly scenes: ReadonlyArray<SceneFigures>
  /** Share of a core for one call. */
  readonly share: number
  /** Longest time by which the loop that pushed frames was late, in milliseconds. */
  readonly latest: number
}

/** CPU time of the process, in milliseconds. */
const cpuNow = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1e3
}

const frameMillis = 20
const frameLength = sceneRate * frameMillis / 1_000

/** Milliseconds after an utterance in which its echo in a detector is no alarm. */
const patience = 300

/** State of a detector after a frame. */
interface Judged {
  readonly activity: FrameActivity
  readonly silent: number
  readonly voiced: number
}

const judge = (detector: VoiceActivityDetector, samples: Float32Array, frame: number): Judged => {
  const activity = detector.push(samples.subarray(frame * frameLength, (frame + 1) * frameLength))
  return { activity, silent: detector.silentMillis, voiced: detector.voicedMillis }
}

const figuresOf = ({ distance, kind, utterances }: Scene, judged: ReadonlyArray<Judged>): SceneFigures => {
  const endOf = (frame: number): number => (frame + 1) * frameMillis
  const inMillis = utterances.map((spans) =>
    spans.map(({ from, to }) => ({ from: from / sceneRate * 1_000, to: to / sceneRate * 1_000 }))
  )
  const stretches = inMillis.map((spans) => ({ from: spans[0]?.from ?? 0, to: spans.at(-1)?.to ?? 0 }))
  const isQuiet = judged.map((_, frame) =>
    !stretches.some(({ from, to }) => endOf(frame) > from - frameMillis && endOf(frame) < to + patience)
  )
  const [delays, lateEnds]: [Array<number>, Array<number>] = [[], []]
  let [blind, missed] = [0, 0]
  stretches.forEach(({ from, to }, index) => {
    const first = judged.findIndex(({ activity }, frame) => endOf(frame) >= from && activity === "speech")
    const delay = first < 0 ? Infinity : endOf(first) - from
    const isBlind = judged[Math.floor(from / frameMillis) - 1]?.activity === "speech"
    if (isBlind) blind += 1
    else if (delay > 500) missed += 1
    else delays.push(delay)
    const next = stretches[index + 1]?.from ?? Infinity
    const over = judged.findIndex(({ silent }, frame) => endOf(frame) >= to && silent >= 200)
    lateEnds.push(Math.min(next, over < 0 ? Infinity : endOf(over), judged.length * frameMillis) - to - 200)
  })
  const isCut = (spans: typeof inMillis[number]): boolean =>
    spans.some(({ from, to }) =>
      judged.some(({ silent }, frame) => endOf(frame) - 400 > from && endOf(frame) < to && silent >= 400)
    )
  const rises = (is: (each: Judged) => boolean): number =>
    judged.filter((each, frame) => {
      const before = judged[frame - 1]
      return isQuiet[frame] === true && is(each) && (before === undefined || !is(before))
    }).length
  return {
    kind,
    distance,
    utterances: stretches.length,
    blind,
    missed,
    cut: inMillis.filter(isCut).length,
    delays,
    lateEnds,
    alarms: rises(({ activity }) => activity === "speech"),
    interruptions: rises(({ voiced }) => voiced >= 200),
    quietMillis: isQuiet.filter((quiet) => quiet).length * frameMillis
  }
}

/** Hears all scenes at once, in real time, as many calls. */
const hearAll = (corpus: ReadonlyArray<Scene>): Effect.Effect<DetectorFigures> =>
  Effect.scoped(Effect.gen(function*() {
    const { open } = yield* VoiceActivityDetection
    const calls = yield* Effect.forEach(corpus, (scene) =>
      Effect.map(open({ rate: sceneRate }), (detector) => ({ scene, detector, judged: Array<Judged>() })))
    const frames = Math.min(...corpus.map(({ samples }) =>
      Math.floor(samples.length / frameLength)
    ))
    const begun = { cpu: cpuNow(), at: performance.now() }
    let latest = 0
    for (let frame = 0; frame < frames; frame++) {
      const wait = begun.at + frame * frameMillis - performance.now()
      latest = Math.max(latest, -wait)
      if (wait > 0) yield* Effect.sleep(wait)
      else yield* Effect.yieldNow()
      for (const { detector, judged, scene } of calls) judged.push(judge(detector, scene.samples, frame))
    }
    const share = (cpuNow() - begun.cpu) / (frames * frameMillis) / calls.length
    return { scenes: calls.map(({ judged, scene }) => figuresOf(scene, judged)), share, latest }
  }))

const layers = {
  energy: Layer.empty,
  both: VadSilero.layer({ from: here("../../test/clients") }),
  silero: VadSilero.layer({ from: here("../../test/clients"), always: true })
} as const

const isLayer = (name: string): name is keyof typeof layers => Object.hasOwn(layers, name)

const [part = "", seeds = "1", distances = "20,10,5,0"] = process.argv.slice(2)

if (isLayer(part)) {
  const corpus = await Effect.runPromise(
    scenes(distances.split(",").map(Number), Number(seeds)).pipe(Effect.provide(SpeechEspeak.layer()))
  )
  const figures = await Effect.runPromise(Effect.provide(hearAll(corpus), layers[part]))
  process.send?.(JSON.stringify(figures))
}
