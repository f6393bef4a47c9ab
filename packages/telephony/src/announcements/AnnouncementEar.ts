import type { Audio } from "@trunkline/audio"
import { Context, Effect } from "effect"
import { type Announcement, readAnnouncement } from "./Announcement.js"
import type { EarlySound } from "./EarlySound.js"

/**
 * Port that hears the words of an announcement before the answer. It is asked at most once for a call, after its end, and
 * only where the trunk gave no cause. By default nothing is heard.
 */
export class AnnouncementEar extends Context.Reference<AnnouncementEar>()("@trunkline/telephony/AnnouncementEar", {
  defaultValue: (): AnnouncementEar.Service => ({ wordsOf: () => Effect.succeed("") })
}) {}

export declare namespace AnnouncementEar {
  /** Service of the reference. */
  export interface Service {
    /** Words of a sound of at most 30 seconds, in any language; an empty text where there are none or they are not known. */
    readonly wordsOf: (sound: Audio) => Effect.Effect<string>
  }
}

/**
 * Announcement of the sound before an answer, in words or else by a tone; null for neither. Words win, since a busy tone
 * often follows those that say more. The ear is asked only for sound that is no tone.
 */
export const hearAnnouncement = (
  sound: EarlySound,
  wordsOf: AnnouncementEar.Service["wordsOf"]
): Effect.Effect<Announcement | null> =>
  Effect.suspend(() => {
    const voice = sound.voice()
    const words = voice === null ? Effect.succeed("") : wordsOf(voice)
    return Effect.map(words, (text) => readAnnouncement(text) ?? sound.tone())
  })
