import { Either } from "effect"
import type { ClipRefused } from "../codecs/CodecErrors.js"
import { withinLimit } from "../codecs/WithinLimit.js"
import { soundOfFrames } from "../pcm/Frames.js"
import type { Sound } from "../Sound.js"
import { wavFrames } from "./WavFrames.js"

/**
 * Reads a WAV file of any kind that `wavFrames` knows, its channels mixed into one. Fails with `unreadable`, with
 * `too_long` before anything is unpacked, and with `empty`.
 */
export const readWav = (
  bytes: Uint8Array,
  limit: { readonly seconds: number }
): Either.Either<Sound, ClipRefused> =>
  wavFrames(bytes).pipe(
    Either.flatMap((frames) => withinLimit(frames, limit)),
    Either.map(soundOfFrames)
  )
