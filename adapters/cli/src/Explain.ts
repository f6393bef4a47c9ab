import { describeCause, StoreBusy, StoreUnavailable } from "@trunkline/kernel"
import type { DatabaseMissing, DatabaseTooOld } from "@trunkline/sqlite"
import type { DatabaseTooNew } from "@trunkline/storage-kysely"
import type { OpenError } from "@trunkline/storage-postgres"
import { Cause, Either } from "effect"
import type { CommandFailed, UsageError } from "./Command.js"

/** Expected errors, which the user can correct. */
type Failure = CommandFailed | DatabaseMissing | DatabaseTooNew | DatabaseTooOld | OpenError | UsageError

/** Hints for system and SQLite errors. */
const hints: ReadonlyArray<readonly [code: RegExp, hint: string]> = [
  [/^SQLITE_BUSY/, "another process has been writing for several seconds: try again"],
  [/^SQLITE_NOTADB/, "choose the data folder of a server with --data"],
  [/^(SQLITE_CANTOPEN|SQLITE_READONLY|EACCES|EPERM|EROFS)/, "choose a writable folder with --data"],
  [/^(EEXIST|ENOTDIR)/, "choose a folder with --data"]
]

const hintOf = (defect: unknown) => {
  if (defect instanceof StoreBusy) return "try again when it is done"
  if (defect instanceof StoreUnavailable) return "try again when it is back"
  const code = defect instanceof Error && "code" in defect ? String(defect.code) : ""
  return hints.find(([form]) => form.test(code))?.[1]
}

const createHint =
  "start the server once, name its folder with --data, or make one with \"trunkline accounts create --init\""

/** Message and exit code of a failure. */
export const explain = (cause: Cause.Cause<Failure>): { readonly message: string; readonly code: number } =>
  Either.match(Cause.failureOrCause(cause), {
    onLeft: (failure) => ({
      message: failure._tag === "DatabaseMissing" ? `${failure.message}: ${createHint}` : failure.message,
      code: failure._tag === "UsageError" ? 2 : 1
    }),
    onRight: (otherCause) => {
      const defect = Cause.squash(otherCause)
      const hint = hintOf(defect)
      return {
        message: defect instanceof Error && hint !== undefined
          ? `${defect.message}: ${hint}`
          : `Internal error:\n${describeCause(otherCause)}`,
        code: 1
      }
    }
  })
