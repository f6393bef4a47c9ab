import { FileStore } from "@trunkline/cohorts"
import { Effect, Exit, Layer, Option, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, open, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"

/** A file name that no other key has: letters, digits, `_` and `-` stay, `/` becomes `@`, the rest its code point. */
const nameOf = (key: string): string =>
  key.replace(
    /[^A-Za-z0-9_-]/gu,
    (character) => character === "/" ? "@" : `%${character.codePointAt(0)?.toString(16)};`
  )

const isNotThere = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

const make = (folder: string) => {
  const pathOf = (key: string) => join(folder, nameOf(key))

  const write = <E>(key: string, bytes: Stream.Stream<Uint8Array, E>): Effect.Effect<void, E> =>
    Effect.acquireUseRelease(
      Effect.promise(async () => {
        const path = join(folder, `.${randomUUID()}.part`)
        return { path, handle: await open(path, "wx", 0o600) }
      }),
      ({ handle }) =>
        Stream.runForEach(bytes, (part) => Effect.promise(() => handle.writeFile(part))).pipe(
          Effect.zipRight(Effect.promise(() => handle.sync()))
        ),
      ({ handle, path }, exit) =>
        Effect.promise(async () => {
          await handle.close()
          await (Exit.isSuccess(exit) ? rename(path, pathOf(key)) : rm(path))
        })
    )

  return FileStore.of({
    write,
    read: (key) =>
      Effect.promise(() =>
        stat(pathOf(key)).then(
          () =>
            Option.some(Stream.orDie(Stream.suspend(() =>
              Stream.fromAsyncIterable(createReadStream(pathOf(key)), (error) => error)
            ))),
          (error: unknown) =>
            isNotThere(error) ? Option.none() : Promise.reject(error)
        )
      ),
    remove: (key) => Effect.promise(() => rm(pathOf(key), { force: true }))
  })
}

/** Keeps the files of cohorts in a folder, which is made when it is not there; only its owner can read them. */
export const FilesDisk = {
  /** The `FileStore` in this folder. A file appears there whole, by a rename. */
  layer: (folder: string): Layer.Layer<FileStore> =>
    Layer.effect(
      FileStore,
      Effect.as(Effect.promise(() => mkdir(folder, { recursive: true, mode: 0o700 })), make(folder))
    )
}
