import Database from "better-sqlite3"
import type { Fault, FaultKind } from "../Messages.js"

/** A statement that is not run, in the words of this software. */
export class Refused extends Error implements Fault {
  readonly kind: FaultKind
  constructor(kind: FaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** A message is no longer than this: it may repeat a word of the statement, which may be very long. */
const longest = 300

const short = (message: string): string => message.length > longest ? `${message.slice(0, longest)}…` : message

/** What SQLite's codes mean, but for plain errors, in the order in which they are tried. */
const byCode: ReadonlyArray<readonly [codes: RegExp, kind: FaultKind, message: string]> = [
  [/^SQLITE_(NOTADB|CORRUPT|FORMAT)/, "Damaged", "the file is no database"],
  [/^SQLITE_IOERR_(SHORT_READ|CORRUPTFS|DATA)/, "Damaged", "the file cannot be read"],
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, "Busy", "the file is locked"],
  [/^SQLITE_(TOOBIG|NOMEM|FULL|IOERR)/, "ResourceExceeded", "the statement needs too much memory or disk"],
  [/^SQLITE_READONLY$/, "NotReadOnly", "the statement writes"],
  [/^SQLITE_(CANTOPEN|READONLY|PERM)/, "Missing", "the file cannot be opened"]
]

/** What SQLite says where it knows a statement's names, and they are none. */
const byText: ReadonlyArray<readonly [RegExp, FaultKind]> = [
  [/^no such (table|view|module|database)/, "UnknownTable"],
  [/^unknown database/, "UnknownTable"],
  [/^no such (function|window function|table-valued function)/, "UnknownFunction"],
  [/^not authorized to use function/, "UnknownFunction"],
  [/^unsafe use of/, "UnknownFunction"]
]

/** Errors of better-sqlite3 itself, which have no code. */
const byBinding: ReadonlyArray<readonly [RegExp, FaultKind, string]> = [
  [/more than one statement/, "MultipleStatements", "there is more than one statement"],
  [/no statements/, "Rejected", "there is no statement"],
  [/parameter/i, "Rejected", "placeholders and values do not match"]
]

/** Where the statement has not begun, messages only repeat it; later ones may quote what is in a row. */
export type Phase = "prepare" | "run"

const withoutValues = (message: string): string => message.split(/[:"'`]/, 1).join().trim()

/** A file that cannot be opened while a statement runs is a temporary one. */
const kindOf = ([, kind, message]: typeof byCode[number], phase: Phase): Fault =>
  kind === "Missing" && phase === "run" ? { kind: "ResourceExceeded", message: "no temporary file" } : { kind, message }

/** What to tell of an error that SQLite or its binding threw; undefined for what is a fault of ours. */
export const faultOf = (error: unknown, phase: Phase): Fault | undefined => {
  if (error instanceof Refused) return { kind: error.kind, message: error.message }
  if (error instanceof Database.SqliteError) {
    const known = byCode.find(([codes]) => codes.test(error.code))
    if (known !== undefined) return kindOf(known, phase)
    const kind = byText.find(([text]) => text.test(error.message))?.[1] ?? "Rejected"
    return { kind, message: short(phase === "run" ? withoutValues(error.message) : error.message) }
  }
  if (!(error instanceof TypeError || error instanceof RangeError)) return undefined
  const { message } = error
  const known = byBinding.find(([text]) => text.test(message))
  return known === undefined ? undefined : { kind: known[1], message: known[2] }
}
