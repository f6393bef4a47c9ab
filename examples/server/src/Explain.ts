import { Cause, Option, Runtime } from "effect"

/** Something that the person who started the server has to know or put right; told as it is, without a stack. */
export class StartError extends Error {}

const otherFolder = "choose another folder with --data"
const writableFolder = "choose a folder with --data that this user can write, with every file in it"

/** What to do about failures of the system, by the beginning of their code; the first that fits. */
const hints: ReadonlyArray<readonly [code: string, hint: string]> = [
  ["EADDRINUSE", "choose another port with --port"],
  ["EADDRNOTAVAIL", "choose an address of this machine with --host"],
  ["ENOTFOUND", "choose an address of this machine with --host"],
  ["EAI_", "choose an address of this machine with --host"],
  ["EEXIST", "choose a folder with --data"],
  ["ENOTDIR", "choose a folder with --data"],
  ["ENOENT", "choose a folder with --data"],
  ["EISDIR", otherFolder],
  ["EACCES", writableFolder],
  ["EPERM", writableFolder],
  ["EROFS", writableFolder],
  ["ENOSPC", "the disk is full"],
  ["SQLITE_NOTADB", `trunkline.db in the data folder is no database: ${otherFolder}`],
  ["SQLITE_CORRUPT", `trunkline.db in the data folder is damaged: ${otherFolder}, or put a copy in its place`],
  ["SQLITE_CANTOPEN", writableFolder],
  ["SQLITE_READONLY", writableFolder],
  ["SQLITE_PERM", writableFolder],
  ["SQLITE_FULL", "the disk is full"],
  ["SQLITE_IOERR", `the disk of the data folder fails: ${otherFolder}`]
]

const textIn = (error: Error, property: string): string => {
  const found: unknown = Reflect.get(error, property)
  return typeof found === "string" ? found : ""
}

const hintOf = (error: Error): string | undefined => {
  const code = textIn(error, "code")
  if (code === "EACCES" && textIn(error, "syscall") === "listen") return "choose a port from 1024 on with --port"
  return hints.find(([beginning]) => code.startsWith(beginning))?.[1]
}

/**
 * Tells why the server did not start, or stopped. Failures that a person can put right need no stack; everything else is
 * ours to find.
 */
export const explain = (error: unknown): string => {
  if (Runtime.isFiberFailure(error)) {
    const cause = error[Runtime.FiberFailureCauseId]
    const failure = Option.getOrUndefined(Cause.failureOption(cause))
    return failure instanceof Error ? failure.message : explain(Cause.squash(cause))
  }
  if (error instanceof StartError) return error.message
  if (!(error instanceof Error)) return String(error)
  const hint = hintOf(error)
  return hint === undefined ? error.stack ?? error.message : `${error.message}: ${hint}`
}
