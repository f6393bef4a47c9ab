import Database from "better-sqlite3"
import { LRUCache } from "lru-cache"
import { rmSync } from "node:fs"
import type { PassageFilePlace, PassageReply, PassageRequest } from "../Messages.js"
import { PassageFile } from "./PassageFile.js"

/** Files that a thread keeps open. */
const maxOpen = 16

/** Codes of files that are no databases any more. The index is a copy, so they are made anew. */
const damageCodes = ["SQLITE_CORRUPT", "SQLITE_NOTADB"]

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN"

const isDamaged = (error: unknown): boolean =>
  error instanceof Database.SqliteError && damageCodes.some((code) => error.code.startsWith(code))

/** The indexes of workspaces, as a thread has them open. */
export class PassageFiles {
  readonly #open = new LRUCache<string, PassageFile>({ max: maxOpen, dispose: (file) => file.close() })

  /** Does a task, and makes a file that is damaged anew once. */
  perform(request: PassageRequest): PassageReply {
    try {
      return this.#performOnce(request)
    } catch (error) {
      if (!isDamaged(error)) return { _tag: "Failed", code: codeOf(error) }
    }
    try {
      this.#discard(request.place.file)
      return this.#performOnce(request)
    } catch (error) {
      return { _tag: "Failed", code: codeOf(error) }
    }
  }

  #performOnce({ place, task }: PassageRequest): PassageReply {
    const file = this.#fileOf(place)
    switch (task._tag) {
      case "State":
        return { _tag: "State", state: file.state() }
      case "Put":
        file.put(task.document)
        return { _tag: "Done" }
      case "Remove":
        file.remove(task.ids)
        return { _tag: "Done" }
      case "Settle":
        file.settle(task.version)
        return { _tag: "Done" }
      case "Search":
        return { _tag: "Hits", hits: file.search(task.search) }
    }
  }

  #fileOf(place: PassageFilePlace): PassageFile {
    const open = this.#open.get(place.file)
    if (open !== undefined) return open
    const file = new PassageFile(place)
    this.#open.set(place.file, file)
    return file
  }

  #discard(file: string): void {
    this.#open.delete(file)
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true })
  }
}
