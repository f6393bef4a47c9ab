import { isWav } from "@trunkline/audio"
import type { SoundFormat } from "../dialects/SpeechDialect.js"

/** What an answer turns out to be; with `not`, why it is no sound, in a word. */
export type Beginning = SoundFormat | { readonly not: string }

/** How many bytes tell. */
export const beginningBytes = 12

const otherType = /^(text\/|video\/|application\/([a-z.-]+\+)?(json|xml)|audio\/(mpeg|mp3|mp4|aac|ogg|opus|webm|flac))/

/** The containers of sound that is compressed, by how they begin. */
const otherContainer = /^(ID3|OggS|fLaC)/

const isText = (beginning: string): boolean => /^[\t\n\r\x20-\x7E]{12}$/.test(beginning)

/**
 * Tells by its content type, and by its first bytes, what an answer is. WAV is believed whatever it is called, and bare
 * samples are never twelve letters of text.
 */
export const beginningOf = (
  bytes: Uint8Array,
  { promised, type }: { readonly promised: SoundFormat; readonly type: string }
): Beginning => {
  const beginning = Buffer.from(bytes.subarray(0, beginningBytes)).toString("latin1")
  if (isWav(bytes)) return "wav"
  if (otherType.test(type)) return { not: "another type than sound" }
  if (isText(beginning)) return { not: "text" }
  if (otherContainer.test(beginning)) return { not: "compressed sound" }
  return promised === "pcm" ? "pcm" : { not: "no WAV" }
}
