import { reasonOfCause, redact } from "@trunkline/kernel"
import { Cause, Exit, Option, Predicate } from "effect"

/** Longest text of an attribute, in UTF-16 units. */
const maxTextLength = 4_096

/** A text as a collector may see it: redacted and cut. */
export const shownText = (text: string): string => redact(text.slice(0, maxTextLength))

/** True for a value that may be kept as it is until it is shown: it does not change, and is not longer than what is shown. */
export const isShort = (value: unknown): boolean =>
  typeof value === "string" ? value.length <= maxTextLength : typeof value !== "object"

/** A value as a collector may see it: its texts are redacted and cut. */
export const shownValue = (value: unknown): unknown =>
  typeof value === "string"
    ? shownText(value)
    : Array.isArray(value)
    ? value.map(shownValue)
    : typeof value === "object" && value !== null
    ? shownText(JSON.stringify(value))
    : value

const nameOf = (error: unknown): string =>
  Predicate.hasProperty(error, "_tag") && typeof error._tag === "string"
    ? error._tag
    : error instanceof Error
    ? error.name
    : "_OTHER"

/** Kind of a failure, for `error.type`. */
export const errorType = (cause: Cause.Cause<unknown>): string =>
  Option.match(Cause.failureOption(cause), { onNone: () => "defect", onSome: nameOf })

/** Failure without a stack. */
class ShownFailure extends Error {
  override readonly stack = ""
  constructor(override readonly name: string, message: string) {
    super(message)
  }
}

/** The end of a span with an error of this kind. */
export const failed = (kind: string, message: string): Exit.Exit<never, ShownFailure> =>
  Exit.fail(new ShownFailure(kind, message))

/** The end of a span as a collector may see it: of a failure the kind and the reason, without its stack and its fields. */
export const shownExit = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> =>
  Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)
    ? exit
    : failed(errorType(exit.cause), shownText(reasonOfCause(exit.cause)))
