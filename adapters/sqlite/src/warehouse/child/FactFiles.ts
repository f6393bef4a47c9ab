import Database from "better-sqlite3"
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import type { WorkspaceFile, WriteOutcome, WriterSettings, WriteTask } from "../Messages.js"
import { FactFile, ForeignFile, WorkspaceMismatch } from "./FactFile.js"

/** Number of files that are kept open. */
const maxOpen = 16

/** Damage of the file that caused an error; undefined for other errors. */
const damageOf = (error: unknown): string | undefined => {
  if (error instanceof ForeignFile) return "NOT_OF_FACTS"
  if (!(error instanceof Database.SqliteError)) return undefined
  return /^SQLITE_(NOTADB|CORRUPT|FORMAT|IOERR_SHORT_READ)/.test(error.code) ? error.code : undefined
}

/** Path that a damaged file is moved to. Only one is kept, since it may contain facts that have to be erased. */
const damagedPath = (file: string): string => `${file}.damaged`

/** Files of all workspaces. */
export class FactFiles {
  readonly #settings: WriterSettings
  /** Open files, the least recently used first. */
  readonly #files = new Map<string, FactFile>()

  constructor(settings: WriterSettings) {
    this.#settings = settings
  }

  /** Does a task. Throws errors that are not due to the file. */
  perform(workspace: WorkspaceFile, task: WriteTask): WriteOutcome {
    try {
      if (task.kind === "watermark" && !existsSync(workspace.file)) return { watermark: 0, movedAway: null }
      return this.#repairing(workspace, (facts) => this.#run(workspace, facts, task))
    } catch (error) {
      if (error instanceof WorkspaceMismatch) return { fault: "Mismatch" }
      if (error instanceof Database.SqliteError) return { fault: "Unwritable", code: error.code }
      throw error
    }
  }

  /** Maintains all files; false when some work is left. */
  maintain(): boolean {
    return [...this.#files.keys()].filter((file) => !this.#maintainOne(file)).length === 0
  }

  close(): void {
    for (const file of this.#files.keys()) this.#close(file)
  }

  /** A file that cannot be maintained is closed, and maintained after it is opened again. */
  #maintainOne(file: string): boolean {
    try {
      return this.#files.get(file)?.maintain() ?? true
    } catch (error) {
      this.#close(file)
      if (error instanceof Database.SqliteError) return true
      throw error
    }
  }

  #close(file: string): void {
    this.#files.get(file)?.close()
    this.#files.delete(file)
  }

  #run({ file }: WorkspaceFile, facts: FactFile, task: WriteTask): number {
    switch (task.kind) {
      case "apply": {
        if (task.changes.some(({ row }) => row === null)) rmSync(damagedPath(file), { force: true })
        return facts.apply(task.from, task.to, task.changes)
      }
      case "clear": {
        rmSync(damagedPath(file), { force: true })
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

  /** Works with the file of a workspace, after replacing it by an empty one if it is damaged. */
  #repairing(workspace: WorkspaceFile, work: (facts: FactFile) => number): WriteOutcome {
    try {
      return { watermark: work(this.#openFile(workspace)), movedAway: null }
    } catch (error) {
      const damage = damageOf(error)
      if (damage === undefined) throw error
      this.#moveAway(workspace.file)
      return { watermark: work(this.#openFile(workspace)), movedAway: damage }
    }
  }

  #openFile(workspace: WorkspaceFile): FactFile {
    const openFile = this.#files.get(workspace.file)
    this.#files.delete(workspace.file)
    if (openFile?.isCurrent() === false) openFile.close()
    const facts = openFile?.isCurrent() === true ? openFile : this.#create(workspace)
    this.#files.set(workspace.file, facts)
    for (const file of [...this.#files.keys()].slice(0, -maxOpen)) {
      this.#maintainOne(file)
      this.#close(file)
    }
    return facts
  }

  #create(workspace: WorkspaceFile): FactFile {
    mkdirSync(dirname(workspace.file), { recursive: true, mode: 0o700 })
    return new FactFile(workspace, this.#settings)
  }

  #moveAway(file: string): void {
    this.#close(file)
    rmSync(`${file}-wal`, { force: true })
    rmSync(`${file}-shm`, { force: true })
    renameSync(file, damagedPath(file))
  }
}
