import { Overloaded } from "@trunkline/errors"
import { Duration, Effect, Option, type Scope, Stream } from "effect"
import type { FormPart, FormReader } from "./Form.js"

/** A form whose files may find no room. */
export interface RoomyForm extends Pick<FormReader, "drain"> {
  readonly next: Effect.Effect<
    Option.Option<Omit<FormPart, "content"> & { readonly content: RoomyContent }>,
    Effect.Effect.Error<FormReader["next"]>
  >
}

type RoomyContent = Stream.Stream<Uint8Array, Stream.Stream.Error<FormPart["content"]> | Overloaded>

/** Room in memory for what forms hold, shared by all requests. */
export interface UploadRoom {
  /** The form as long as there is room for what has come; it is given back when the scope closes, after the answer. */
  readonly within: (form: FormReader) => Effect.Effect<RoomyForm, never, Scope.Scope>
}

const full = new Overloaded({
  message: "Too many files are being uploaded at the moment. Try again.",
  retryAfter: Duration.seconds(5)
})

/** Room for so many bytes. What has not come yet takes none, so slow clients keep nobody out. */
export const makeUploadRoom = (limitBytes: number): UploadRoom => {
  let held = 0
  return {
    within: ({ drain, next }) =>
      Effect.map(
        Effect.acquireRelease(Effect.sync(() => ({ bytes: 0 })), ({ bytes }) => Effect.sync(() => held -= bytes)),
        (own) => {
          const counted = (content: FormPart["content"]): RoomyContent =>
            Stream.tap(content, ({ length }) =>
              Effect.suspend(() => {
                own.bytes += length
                held += length
                return held > limitBytes ? full : Effect.void
              }))
          return { drain, next: Effect.map(next, Option.map((part) => ({ ...part, content: counted(part.content) }))) }
        }
      )
  }
}
