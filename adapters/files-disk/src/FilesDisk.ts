import { type AppendedBytes, FileStore } from "@trunkline/cohorts"
import { concatBytes } from "@trunkline/kernel"
import { Effect, Exit, Layer, Option, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { makeOpenFiles } from "./OpenFiles.js"

/** The unique file name of a key: letters, digits, `_` and `-` stay, `/` becomes `@`, others their code point. */
const fileName = (key: string): string =>
  key.replace(
    /[^A-Za-z0-9_-]/gu,
    (character) => character === "/" ? "@" : `%${character.codePointAt(0)?.toString(16)};`
  )

/** The temporary name of a file while it is written, which no key maps to. */
const partName = () => `.${randomUUID()}.part`
const isPart = (name: string): boolean => /^\.[0-9a-f-]{36}\.part$/.test(name)

/** Size of the chunks read; the next one is read only when the stream is pulled. */
const chunkBytes = 128 * 1024

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

/** Writes parts at once, from a position on. What a full disk has not taken is written again, which tells its error. */
const writeParts = async (handle: FileHandle, parts: ReadonlyArray<Uint8Array>, at = 0): Promise<void> => {
  if (parts.length === 0) return
  const { bytesWritten } = await handle.writev(parts, at)
  const rest = concatBytes(bytesWritten < sizeOfParts(parts) ? parts : []).subarray(bytesWritten)
  for (let offset = 0; offset < rest.length;) {
    offset += (await handle.write(rest, offset, rest.length - offset, at + bytesWritten + offset)).bytesWritten
  }
}

const sizeOfParts = (parts: ReadonlyArray<Uint8Array>): number => parts.reduce((sum, { length }) => sum + length, 0)

/** Flushes a folder, so that its entries survive a power loss. Windows needs no flush. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === "win32") return
  const handle = await open(folder, "r")
  await handle.sync().finally(() => handle.close())
}

/** Makes a function that flushes a folder once for all who ask while an earlier flush runs. */
const sharedSync = (folder: string): () => Promise<void> => {
  let running = Promise.resolve()
  let next: Promise<void> | null = null
  const begin = (): Promise<void> => {
    next = null
    return running = syncFolder(folder)
  }
  return () => next ??= running.then(begin, begin)
}

const make = (folder: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(makeOpenFiles),
      ({ closeAll }) => Effect.promise(closeAll)
    ),
    (openFiles) => {
      const sync = sharedSync(folder)
      const pathOf = (key: string) => join(folder, fileName(key))

      const sizeOf = (key: string) =>
        Effect.promise(() =>
          stat(pathOf(key)).then(
            ({ size }) => Option.some(size),
            (error: unknown) => isMissing(error) ? Option.none<number>() : Promise.reject(error)
          )
        )

      const begin = async () => {
        const path = join(folder, partName())
        return { path, handle: await open(path, "wx", 0o600) }
      }

      const end = async (key: string, { handle, path }: { readonly handle: FileHandle; readonly path: string }) => {
        await handle.close()
        await openFiles.close(pathOf(key))
        await rename(path, pathOf(key))
        await sync()
      }

      const abandon = async ({ handle, path }: { readonly handle: FileHandle; readonly path: string }) => {
        await handle.close().finally(() => rm(path))
      }

      const write = <E>(key: string, bytes: Stream.Stream<Uint8Array, E>): Effect.Effect<void, E> =>
        Effect.acquireUseRelease(
          Effect.promise(begin),
          ({ handle }) =>
            Stream.runForEach(bytes, (part) => Effect.promise(() => handle.writeFile(part))).pipe(
              Effect.zipRight(Effect.promise(() => handle.sync()))
            ),
          (part, exit) => Effect.promise(() => Exit.isSuccess(exit) ? end(key, part) : abandon(part))
        )

      const writeBytes = async (key: string, parts: ReadonlyArray<Uint8Array>): Promise<void> => {
        const part = await begin()
        try {
          await writeParts(part.handle, parts)
          await part.handle.sync()
        } catch (error) {
          await abandon(part)
          throw error
        }
        await end(key, part)
      }

      const append = async (key: string, { at, parts }: AppendedBytes): Promise<void> => {
        await openFiles.use(pathOf(key), async (file) => {
          const { end, handle } = file
          if (end !== at && (await handle.stat()).size > at) await handle.truncate(at)
          await writeParts(handle, parts, at)
          await handle.datasync()
          file.end = at + sizeOfParts(parts)
        })
        if (at === 0) await sync()
      }

      return FileStore.of({
        write,
        append: (key, bytes) => Effect.uninterruptible(Effect.promise(() => append(key, bytes))),
        writeBytes: (key, parts) => Effect.uninterruptible(Effect.promise(() => writeBytes(key, parts))),
        read: (key, range) =>
          Effect.map(
            sizeOf(key),
            Option.map(() =>
              range !== undefined && range.to <= range.from ?
                Stream.empty :
                Stream.orDie(Stream.suspend(() =>
                  Stream.fromAsyncIterable(
                    createReadStream(pathOf(key), {
                      highWaterMark: chunkBytes,
                      ...(range !== undefined && { start: range.from, end: range.to - 1 })
                    }),
                    (error) => error
                  )
                ))
            )
          ),
        size: sizeOf,
        remove: (key) =>
          Effect.promise(async () => {
            await openFiles.close(pathOf(key))
            await rm(pathOf(key), { force: true })
          })
      })
    }
  )

const makeFolder = (folder: string) => mkdir(folder, { recursive: true, mode: 0o700 })

/** Removes partly written files of a process that died. */
const removeParts = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (isPart(name)) await rm(join(folder, name))
  }
}

/**
 * A `FileStore` for cohorts in a folder, which is created if it does not exist. Only its owner can read the files. A file
 * appears once it is complete and flushed to the disk. Readers of a file finish it even if it is replaced meanwhile.
 *
 * @example
 * ```ts
 * const cohorts = Layer.provide(Cohorts.layer, FilesDisk.layer("data/files"))
 * ```
 */
export const FilesDisk = {
  /** The `FileStore` for the only process that writes to the folder. It first removes partly written files. */
  layer: (folder: string): Layer.Layer<FileStore> =>
    Layer.scoped(
      FileStore,
      Effect.zipRight(Effect.promise(() => makeFolder(folder).then(() => removeParts(folder))), make(folder))
    ),
  /** The `FileStore` for a worker thread, beside a `layer` that may be writing to the same folder. */
  layerShared: (folder: string): Layer.Layer<FileStore> =>
    Layer.scoped(FileStore, Effect.zipRight(Effect.promise(() => makeFolder(folder)), make(folder)))
}
