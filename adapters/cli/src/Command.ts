import { issuesOf } from "@trunkline/errors"
import type { Transactions } from "@trunkline/kernel"
import type { Accounts, AccountStore, CreditLedger, Credits, Keys } from "@trunkline/rate-limits"
import { Data, Effect, Schema } from "effect"

/** What commands work with: the services of an opened data folder. */
export type Tools = Accounts | AccountStore | CreditLedger | Credits | Keys | Transactions

/** The command line makes no sense; the message says what to put right. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}

/** What was asked for cannot be done; the message says why, and what to do next. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** An option of a command, such as `--label <text>`. */
export interface Flag {
  /** What its value is called in the help; a flag without one is a switch. */
  readonly value?: string
  /** Whether it may be given several times. */
  readonly many?: boolean
  /** Whether the command needs it. */
  readonly needed?: boolean
  readonly about: string
}

/** What a command prints. */
export interface Output {
  /** For people. */
  readonly text: string
  /** For machines. */
  readonly json: unknown
  /** What people should know beside it, on standard error. */
  readonly notice?: string
}

/** What was given on the command line, by the names of operands and flags. */
export type Given = Readonly<Record<string, string | boolean | ReadonlyArray<string | boolean> | undefined>>

/** How a command is called. */
export interface Call {
  /** Its words, such as `keys create`. */
  readonly name: string
  readonly about: string
  /** What has to follow the words, in this order. */
  readonly operands: ReadonlyArray<string>
  readonly flags: Readonly<Record<string, Flag>>
}

/** A command of the tool. */
export interface Command extends Call {
  /** What to do about what was given. */
  readonly prepare: (given: Given) => Effect.Effect<Effect.Effect<Output, CommandFailed, Tools>, UsageError>
}

/** A command whose input, keyed by the names of its operands and flags, has the form of a schema. */
export const command = <A, I>(
  { input, run, ...call }: Call & {
    readonly input: Schema.Schema<A, I>
    readonly run: (input: A) => Effect.Effect<Output, CommandFailed, Tools>
  }
): Command => {
  const decode = Schema.decodeUnknown(input, { errors: "all" })
  const placeOf = (name: string) => name in call.flags ? `--${name}` : `<${name}>`
  return {
    ...call,
    prepare: (given) =>
      Effect.mapBoth(decode(given), {
        onFailure: (error) => {
          const issues = issuesOf(error, "body").map(({ loc, msg }) => `${placeOf(String(loc[1]))}: ${msg}`)
          return new UsageError({ message: issues.join("; ") })
        },
        onSuccess: run
      })
  }
}
