import { Cause, Option, Runtime } from "effect"
import { DataFolderUnusable } from "../assembly/DataFolder.js"

/** A failure that the operator can put right; printed as its message, without a stack. */
export class StartError extends Error {}

const otherFolder = "choose another folder with --data"
const writableFolder = "choose a folder with --data that this user can write, with every file in it"

/** Advice for system errors, by the beginning of their code; the first match applies. */
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
  const value: unknown = Reflect.get(error, property)
  return typeof value === "string" ? value : ""
}

const hintOf = (error: Error): string | undefined => {
  const code = textIn(error, "code")
  if (code === "EACCES" && textIn(error, "syscall") === "listen") return "choose a port from 1024 on with --port"
  return hints.find(([beginning]) => code.startsWith(beginning))?.[1]
}

/**
 * Text that explains why the server did not start, or stopped. Failures that an operator can put right have no stack;
 * every other error has one.
 */
export const explain = (error: unknown): string => {
  if (Runtime.isFiberFailure(error)) {
    const cause = error[Runtime.FiberFailureCauseId]
    const failure = Option.getOrUndefined(Cause.failureOption(cause))
    if (failure instanceof DataFolderUnusable) return explain(failure.cause)
    return failure instanceof Error ? failure.message : explain(Cause.squash(cause))
  }
  if (error instanceof StartError) return error.message
  if (error instanceof RangeError && error.message.includes("call stack")) {
    return "What was given is nested too deeply to be read: look for a long row of brackets in its files"
  }
  if (!(error instanceof Error)) return String(error)
  // Failures that are values in signatures tell what to do themselves.
  if ("_tag" in error) return error.message
  const hint = hintOf(error)
  return hint === undefined ? error.stack ?? error.message : `${error.message}: ${hint}`
}
