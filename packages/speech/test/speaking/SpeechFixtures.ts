import { Cause, Exit, Option, Stream } from "effect"
import { nativeRate } from "./Parts.js"

/** Bytes of 16 bit samples as a duration. */
export const lasting = (bytes: number, rate = nativeRate): number => bytes / 2 / rate

export const sizeOf = <E>(bytes: Stream.Stream<Uint8Array, E>) =>
  Stream.runFold(bytes, 0, (size, piece) => size + piece.length)

export const tagOf = (exit: Exit.Exit<unknown, { readonly _tag: string }>) =>
  Exit.isFailure(exit) ? Option.getOrNull(Cause.failureOption(exit.cause))?._tag : "none"
