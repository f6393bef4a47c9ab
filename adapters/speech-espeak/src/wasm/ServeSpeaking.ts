import type { MessagePort } from "node:worker_threads"
import type { Speaking } from "../engine/Engine.js"
import type { EspeakVoice } from "./EspeakModule.js"
import { type Gate, given, isStopped } from "./Gate.js"
import type { Told } from "./Messages.js"

/** This build reads markup, of which nothing else is left in the text. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;")

/**
 * The life of a thread: it says what it is asked for over the port, one utterance after the other. What runs in it imports
 * no library, so that it is there soon and takes no more memory than espeak does.
 */
export const serveSpeaking = (port: MessagePort, espeak: EspeakVoice, gate: Gate): void => {
  const tell = (told: Told) => port.postMessage(told)

  const speak = ({ pitch, text, voice, wordsPerMinute }: Speaking): Told => {
    if (espeak.set_voice(voice) !== 0) return { _tag: "Broken", kind: "NoVoice" }
    espeak.set_pitch(pitch)
    espeak.set_rate(wordsPerMinute)
    espeak.synthesize(escaped(text), (samples) => {
      if (samples.length === 0) return isStopped(gate)
      tell({ _tag: "Sound", samples })
      return !given(gate)
    })
    return { _tag: "Done" }
  }

  port.on("message", (speaking: Speaking) => {
    try {
      tell(speak(speaking))
    } catch (error) {
      tell({ _tag: "Broken", kind: error instanceof Error ? error.name : typeof error })
    }
  })
}
