import type { AnsweredBy, AnswerVerdict } from "@trunkline/kernel"
import { makeAnswerDetector } from "@trunkline/telephony"
import { finalGreetings } from "./answer-final.js"
import { englishPeople } from "./answer-people-english.js"
import { hindiPeople } from "./answer-people-hindi.js"
import { englishRecordings } from "./answer-recordings-english.js"
import { hindiRecordings } from "./answer-recordings-hindi.js"
import {
  answerRate,
  type AnswerScene,
  busySound,
  busyTones,
  faxSounds,
  informationSound,
  noiseDistances,
  randomBy,
  sceneOf,
  speak,
  voiceCount
} from "./answer-sounds.js"
import type { AnswerPart, Greeting } from "./answer-texts.js"

/** A scene with what the detector made of it. */
export interface AnswerFigures {
  readonly by: AnsweredBy
  readonly language: string
  readonly part: AnswerPart
  readonly text: string
  /** True where the line is silent for one to two seconds first. */
  readonly isLate: boolean
  /** Milliseconds from the answer to the first sound. */
  readonly from: number
  /** Verdicts in their order until 20 seconds after the answer, with the words and by sound alone. */
  readonly verdicts: ReadonlyArray<AnswerVerdict>
  readonly verdictsBySound: ReadonlyArray<AnswerVerdict>
  /** Microseconds of a frame. */
  readonly micros: number
}

/** Number of voices, and distances from the voice to the noise in dB. */
interface Size {
  readonly voices: number
  readonly distances: ReadonlyArray<number>
}

const parts = [["development", [...englishPeople, ...hindiPeople, ...englishRecordings, ...hindiRecordings]], [
  "final",
  finalGreetings
]] as const

const frameLength = answerRate / 50

/** Delay after which a transcriber writes a word that was said, in milliseconds, and the time between its texts. */
const wordDelay = { least: 250, spread: 300 }
const textEvery = 100

/** The words that a transcriber has written at a moment: letters are said at an even pace. */
const wordsAt = (text: string, { from, to }: AnswerScene, at: number): string => {
  const words = text.split(" ")
  const share = (at - from) / (to - from)
  let letters = 0
  const count = words.findIndex((word) => {
    letters += word.length + 1
    return letters > share * (text.length + 1)
  })
  return (count < 0 ? words : words.slice(0, count)).join(" ")
}

const hear = (scene: AnswerScene, text: string | null, seed: number): ReadonlyArray<AnswerVerdict> => {
  const detector = makeAnswerDetector({ rate: answerRate })
  const random = randomBy(seed)
  const delay = wordDelay.least + random() * wordDelay.spread
  const verdicts: Array<AnswerVerdict> = []
  const frames = Math.floor(scene.samples.length / frameLength)
  for (let frame = 0; frame < frames; frame++) {
    detector.push(scene.samples.subarray(frame * frameLength, (frame + 1) * frameLength))
    const at = (frame + 1) * 20
    if (text !== null && at % textEvery === 0) detector.hear(wordsAt(text, scene, at - delay), false)
    if (detector.verdict !== null && detector.verdict !== verdicts.at(-1)) verdicts.push(detector.verdict)
  }
  return verdicts
}

const figuresOf = (
  of: Pick<AnswerFigures, "by" | "isLate" | "language" | "part" | "text">,
  scene: AnswerScene,
  seed: number
): AnswerFigures => {
  const began = performance.now()
  const verdicts = hear(scene, of.text === "" ? null : of.text, seed)
  const micros = (performance.now() - began) * 1_000 / (scene.samples.length / frameLength)
  return { ...of, from: scene.from, verdicts, verdictsBySound: hear(scene, null, seed), micros }
}

/** Distance to the noise of scenes that begin late. */
const lateDistance = 20

const spokenBy = (greeting: Greeting, part: AnswerPart, index: number, size: Size): ReadonlyArray<AnswerFigures> =>
  Array.from({ length: size.voices }, (_, voice) => voice).flatMap((voice) => {
    const sound = speak(greeting, part, voice)
    const hasBeep = greeting.by === "machine"
    const figures = (distance: number, isLate: boolean): AnswerFigures => {
      const seed = index * 100 + voice * 10 + distance
      const scene = sceneOf(sound, { distance, hasBeep, isLate, seed })
      return figuresOf({ ...greeting, part, isLate }, scene, seed)
    }
    return [...size.distances.map((distance) => figures(distance, false)), figures(lateDistance, true)]
  })

const spoken = (size: Size): ReadonlyArray<AnswerFigures> =>
  parts.flatMap(([part, greetings]) => greetings.flatMap((greeting, index) => spokenBy(greeting, part, index, size)))

const tones = (size: Size): ReadonlyArray<AnswerFigures> => {
  const sounds: ReadonlyArray<readonly [AnsweredBy, string, Float32Array]> = [
    ...busyTones.map(([country, frequencies, seconds]) =>
      ["network", country, busySound(frequencies, seconds)] as const
    ),
    ["network", "special information", informationSound()],
    ...faxSounds().map((sound) => ["fax", "fax", sound] as const),
    ["silence", "silence", new Float32Array(4 * answerRate)]
  ]
  return sounds.flatMap(([by, language, sound], index) =>
    size.distances.map((distance) => {
      const scene = sceneOf(sound, { distance, hasBeep: false, isLate: false, seed: index + 1 })
      return figuresOf({ by, isLate: false, language, part: "final", text: "" }, scene, index)
    })
  )
}

const [voices = String(voiceCount), distances = noiseDistances.join(",")] = process.argv.slice(2)
const size = { voices: Number(voices), distances: distances.split(",").map(Number) }

process.send?.(JSON.stringify([...spoken(size), ...tones(size)]))
