import Database from "better-sqlite3"
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import type { Owned, WriteAnswer, WriterSettings, WriteTask } from "../Messages.js"
import { Foreign, Mismatch, OpenFacts } from "./OpenFacts.js"

/** How many files are kept open. */
const mostOpen = 16

/** What is wrong with a file that cannot be used; undefined when something else is wrong. */
const damageOf = (error: unknown): string | undefined => {
  if (error instanceof Foreign) return "NOT_OF_FACTS"
  if (!(error instanceof Database.SqliteError)) return undefined
  return /^SQLITE_(NOTADB|CORRUPT|FORMAT|IOERR_SHORT_READ)/.test(error.code) ? error.code : undefined
}

/** Where a damaged file goes; there is one at most, since it may hold what is to be erased. */
const damagedName = (file: string): string => `${file}.damaged`

/** The files of all workspaces, as far as they are written. */
export class FactFiles {
  readonly #settings: WriterSettings
  /** The one that was not used for longest comes first. */
  readonly #open = new Map<string, OpenFacts>()

  constructor(settings: WriterSettings) {
    this.#settings = settings
  }

  /** Does a task; throws what is a fault of ours. */
  do(owned: Owned, task: WriteTask): WriteAnswer["outcome"] {
    try {
      if (task.kind === "watermark" && !existsSync(owned.file)) return { watermark: 0, movedAway: null }
      return this.#mending(owned, (facts) => this.#run(owned, facts, task))
    } catch (error) {
      if (error instanceof Mismatch) return { fault: "Mismatch" }
      if (error instanceof Database.SqliteError) return { fault: "Unwritable", code: error.code }
      throw error
    }
  }

  /** Tidies all files up; false when something is left to do. */
  tidy(): boolean {
    return [...this.#open.keys()].filter((file) => !this.#tidyOne(file)).length === 0
  }

  close(): void {
    for (const file of this.#open.keys()) this.#close(file)
  }

  /** A file that cannot be tidied up is left to whoever opens it next. */
  #tidyOne(file: string): boolean {
    try {
      return this.#open.get(file)?.tidy() ?? true
    } catch (error) {
      this.#close(file)
      if (error instanceof Database.SqliteError) return true
      throw error
    }
  }

  #close(file: string): void {
    this.#open.get(file)?.close()
    this.#open.delete(file)
  }

  #run({ file }: Owned, facts: OpenFacts, task: WriteTask): number {
    switch (task.kind) {
      case "apply": {
        if (task.changes.some(({ row }) => row === null)) rmSync(damagedName(file), { force: true })
        return facts.apply(task.from, task.to, task.changes)
      }
      case "clear": {
        rmSync(damagedName(file), { force: true })
        facts.clear()
        return facts.watermark()
      }
      case "inspect": {
        const fault = facts.fault()
        if (fault !== null) throw new Database.SqliteError("damaged", fault)
        return facts.watermark()
      }
      default:
        return facts.watermark()
    }
  }

  /** Works with a workspace's facts; where they are damaged, with a new and empty file in their place. */
  #mending(owned: Owned, work: (facts: OpenFacts) => number): WriteAnswer["outcome"] {
    try {
      return { watermark: work(this.#of(owned)), movedAway: null }
    } catch (error) {
      const damage = damageOf(error)
      if (damage === undefined) throw error
      this.#moveAway(owned.file)
      return { watermark: work(this.#of(owned)), movedAway: damage }
    }
  }

  #of(owned: Owned): OpenFacts {
    const kept = this.#open.get(owned.file)
    this.#open.delete(owned.file)
    if (kept?.isCurrent() === false) kept.close()
    const facts = kept?.isCurrent() === true ? kept : this.#opened(owned)
    this.#open.set(owned.file, facts)
    for (const file of [...this.#open.keys()].slice(0, -mostOpen)) {
      this.#tidyOne(file)
      this.#close(file)
    }
    return facts
  }

  #opened(owned: Owned): OpenFacts {
    mkdirSync(dirname(owned.file), { recursive: true, mode: 0o700 })
    return new OpenFacts(owned, this.#settings)
  }

  #moveAway(file: string): void {
    this.#close(file)
    rmSync(`${file}-wal`, { force: true })
    rmSync(`${file}-shm`, { force: true })
    renameSync(file, damagedName(file))
  }
}
