import type { AnsweredBy, AnswerVerdict } from "@trunkline/kernel"
import { makeAnswerDetector } from "@trunkline/telephony"
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
import { type Greeting, greetings } from "./answer-texts.js"

/** A scene with what the detector made of it. */
export interface AnswerFigures {
  readonly by: AnsweredBy
  readonly language: string
  readonly isHeldOut: boolean
  readonly text: string
  /** First verdict, with the words and by sound alone; null for none. */
  readonly first: AnswerVerdict | null
  readonly firstBySound: AnswerVerdict | null
  /** Last verdict, 20 seconds after the answer at the latest. */
  readonly last: AnswerVerdict | null
  readonly lastBySound: AnswerVerdict | null
  /** Microseconds of a frame. */
  readonly micros: number
}

/** Number of voices, and distances from the voice to the noise in dB. */
interface Size {
  readonly voices: number
  readonly distances: ReadonlyArray<number>
}

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

const hear = (scene: AnswerScene, text: string | null, seed: number) => {
  const detector = makeAnswerDetector({ rate: answerRate })
  const random = randomBy(seed)
  const delay = wordDelay.least + random() * wordDelay.spread
  let first: AnswerVerdict | null = null
  const frames = Math.floor(scene.samples.length / frameLength)
  for (let frame = 0; frame < frames; frame++) {
    detector.push(scene.samples.subarray(frame * frameLength, (frame + 1) * frameLength))
    const at = (frame + 1) * 20
    if (text !== null && at % textEvery === 0) detector.hear(wordsAt(text, scene, at - delay), false)
    first ??= detector.verdict
  }
  return { first, last: detector.verdict }
}

const figuresOf = (
  { by, isHeldOut, language, text }: Pick<Greeting, "isHeldOut" | "text"> & {
    readonly by: AnsweredBy
    readonly language: string
  },
  scene: AnswerScene,
  seed: number
): AnswerFigures => {
  const began = performance.now()
  const heard = hear(scene, text === "" ? null : text, seed)
  const micros = (performance.now() - began) * 1_000 / (scene.samples.length / frameLength)
  const bySound = hear(scene, null, seed)
  return {
    by,
    language,
    isHeldOut,
    text,
    first: heard.first,
    last: heard.last,
    firstBySound: bySound.first,
    lastBySound: bySound.last,
    micros
  }
}

const spoken = (size: Size): ReadonlyArray<AnswerFigures> =>
  greetings.flatMap((greeting, index) =>
    Array.from({ length: size.voices }, (_, voice) => speak(greeting, voice)).flatMap((sound, voice) =>
      size.distances.map((distance) => {
        const seed = index * 100 + voice * 10 + distance
        return figuresOf(greeting, sceneOf(sound, { distance, hasBeep: greeting.by === "machine", seed }), seed)
      })
    )
  )

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
      const scene = sceneOf(sound, { distance, hasBeep: false, seed: index + 1 })
      return figuresOf({ by, language, isHeldOut: false, text: "" }, scene, index)
    })
  )
}

const [voices = String(voiceCount), distances = noiseDistances.join(",")] = process.argv.slice(2)
const size = { voices: Number(voices), distances: distances.split(",").map(Number) }

process.send?.(JSON.stringify([...spoken(size), ...tones(size)]))
