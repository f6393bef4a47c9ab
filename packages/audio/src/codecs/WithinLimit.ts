import { Either } from "effect"
import { frameCount, type Frames } from "../pcm/Frames.js"
import { ClipRefused } from "./CodecErrors.js"

/** Frames that there are some of, and that last no longer than the limit; else `empty` or `too_long`. */
export const withinLimit = (
  frames: Frames,
  limit: { readonly seconds: number }
): Either.Either<Frames, ClipRefused> => {
  const count = frameCount(frames)
  if (count === 0) return Either.left(new ClipRefused({ reason: "empty", message: "It holds no sound" }))
  return count > limit.seconds * frames.rate
    ? Either.left(new ClipRefused({ reason: "too_long", message: `It is longer than ${limit.seconds} seconds` }))
    : Either.right(frames)
}
