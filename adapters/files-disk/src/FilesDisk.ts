import { FileStore } from "@trunkline/cohorts"
import { Effect, Exit, Layer, Option, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"

/** A file name that no other key has: letters, digits, `_` and `-` stay, `/` becomes `@`, the rest its code point. */
const nameOf = (key: string): string =>
  key.replace(
    /[^A-Za-z0-9_-]/gu,
    (character) => character === "/" ? "@" : `%${character.codePointAt(0)?.toString(16)};`
  )

/** The name of a file as long as it is written; no key has such a one. */
const partName = () => `.${randomUUID()}.part`
const isPart = (name: string): boolean => /^\.[0-9a-f-]{36}\.part$/.test(name)

/** Bytes read at a time; the next are read once these have been taken. */
const pieceBytes = 128 * 1024

const isNotThere = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

/** What is in a folder outlives a power loss once the folder itself is on the disk. Windows sees to it by itself. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === "win32") return
  const handle = await open(folder, "r")
  await handle.sync().finally(() => handle.close())
}

const make = (folder: string) => {
  const pathOf = (key: string) => join(folder, nameOf(key))

  const sizeOf = (key: string) =>
    Effect.promise(() =>
      stat(pathOf(key)).then(
        ({ size }) => Option.some(size),
        (error: unknown) => isNotThere(error) ? Option.none<number>() : Promise.reject(error)
      )
    )

  const begin = Effect.promise(async () => {
    const path = join(folder, partName())
    return { path, handle: await open(path, "wx", 0o600) }
  })

  const end = async (key: string, { handle, path }: { readonly handle: FileHandle; readonly path: string }) => {
    await handle.close()
    await rename(path, pathOf(key))
    await syncFolder(folder)
  }

  const abandon = async ({ handle, path }: { readonly handle: FileHandle; readonly path: string }) => {
    await handle.close().finally(() => rm(path))
  }

  const write = <E>(key: string, bytes: Stream.Stream<Uint8Array, E>): Effect.Effect<void, E> =>
    Effect.acquireUseRelease(
      begin,
      ({ handle }) =>
        Stream.runForEach(bytes, (part) => Effect.promise(() => handle.writeFile(part))).pipe(
          Effect.zipRight(Effect.promise(() => handle.sync()))
        ),
      (part, exit) => Effect.promise(() => Exit.isSuccess(exit) ? end(key, part) : abandon(part))
    )

  return FileStore.of({
    write,
    read: (key) =>
      Effect.map(
        sizeOf(key),
        Option.map(() =>
          Stream.orDie(Stream.suspend(() =>
            Stream.fromAsyncIterable(
              createReadStream(pathOf(key), { highWaterMark: pieceBytes }),
              (error) => error
            )
          ))
        )
      ),
    size: sizeOf,
    remove: (key) => Effect.promise(() => rm(pathOf(key), { force: true }))
  })
}

const makeFolder = (folder: string) => mkdir(folder, { recursive: true, mode: 0o700 })

/** Removes what a process left that died while it wrote. */
const tidy = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (isPart(name)) await rm(join(folder, name))
  }
}

/**
 * Keeps the files of cohorts in a folder, which is made when it is not there; only its owner can read them. A file
 * appears whole, and is on the disk then; who reads one goes on with it when another takes its place meanwhile.
 */
export const FilesDisk = {
  /** The `FileStore` in this folder, for the only process that writes there: it removes what was written half. */
  layer: (folder: string): Layer.Layer<FileStore> =>
    Layer.effect(
      FileStore,
      Effect.promise(() => makeFolder(folder).then(() => tidy(folder))).pipe(Effect.as(make(folder)))
    ),
  /** The `FileStore` in a folder where somebody else may be writing: for a worker thread beside `layer`. */
  layerShared: (folder: string): Layer.Layer<FileStore> =>
    Layer.effect(FileStore, Effect.as(Effect.promise(() => makeFolder(folder)), make(folder)))
}
