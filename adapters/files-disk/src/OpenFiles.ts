import { LRUCache } from "lru-cache"
import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"

/** Files that stay open, and their time without an append, in milliseconds: opening one costs more than writing to it. */
const maxOpen = 256
const maxIdle = 30_000

/** Opens a file to write anywhere in it, and creates it where it is missing. */
const flags = constants.O_WRONLY | constants.O_CREAT

/** A file that is open for appends. */
export interface OpenFile {
  readonly handle: FileHandle
  /** Its end after the last append, in bytes; null before one. */
  end: number | null
}

/** Files that stay open between appends. */
export interface OpenFiles {
  /** Uses the file of a path, which it opens where it is not open. A failure closes it. */
  readonly use: (path: string, append: (file: OpenFile) => Promise<void>) => Promise<void>
  /** Closes the file of a path, if it is open. */
  readonly close: (path: string) => Promise<void>
  /** Closes all files. */
  readonly closeAll: () => Promise<void>
}

/** Makes the set of open files, empty at first. A file that is in use is not in it. */
export const makeOpenFiles = (): OpenFiles => {
  const closings = new Set<Promise<void>>()

  /** Closes a file. Nothing can be lost: each append is on the disk when it returns. */
  const closeFile = ({ handle }: OpenFile): Promise<void> => {
    const closing = handle.close().catch(() => undefined).finally(() => closings.delete(closing))
    closings.add(closing)
    return closing
  }

  const files = new LRUCache<string, OpenFile>({
    max: maxOpen,
    ttl: maxIdle,
    ttlAutopurge: true,
    dispose: (file, _, reason) => {
      if (reason !== "delete") void closeFile(file)
    }
  })

  const take = (path: string): OpenFile | undefined => {
    const file = files.get(path)
    files.delete(path)
    return file
  }

  return {
    use: async (path, append) => {
      const file = take(path) ?? { handle: await open(path, flags, 0o600), end: null }
      try {
        await append(file)
      } catch (error) {
        await closeFile(file)
        throw error
      }
      files.set(path, file)
    },
    close: async (path) => {
      const file = take(path)
      if (file !== undefined) await closeFile(file)
    },
    closeAll: async () => {
      for (const file of files.values()) void closeFile(file)
      files.clear()
      await Promise.all(closings)
    }
  }
}
