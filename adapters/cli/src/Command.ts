import { issuesOf } from "@trunkline/errors"
import type { Transactions } from "@trunkline/kernel"
import {
  type Account,
  type AccountId,
  type Accounts,
  AccountStore,
  type CreditLedger,
  type Credits,
  type Keys
} from "@trunkline/rate-limits"
import { Data, Effect, Option, Schema } from "effect"

/** Services available to commands: those of an open data folder. */
type CommandServices = Accounts | AccountStore | CreditLedger | Credits | Keys | Transactions

/** The command line is invalid; the message says how to correct it. Exit code 2. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}

/** The command cannot be executed; the message says why and what to do next. Exit code 1. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** An option of a command, such as `--label <text>`. */
export interface Flag {
  /** Placeholder of the value in the help; absent for a boolean flag. */
  readonly value?: string
  /** True when the flag can be given several times. */
  readonly repeatable?: boolean
  /** True when the command requires the flag. */
  readonly required?: boolean
  readonly about: string
}

/** Output of a command. */
export interface Output {
  /** Plain text for standard output. */
  readonly text: string
  /** Value for standard output with `--json`. */
  readonly json: unknown
  /** Hint for standard error; not printed with `--json`. */
  readonly notice?: string
}

/** Arguments of a command line, by operand and flag name. */
export type CommandArguments = Readonly<Record<string, string | boolean | ReadonlyArray<string | boolean> | undefined>>

/** Syntax of a command. */
export interface CommandSyntax {
  /** Name, such as `keys create`. */
  readonly name: string
  readonly about: string
  /** Required operands, in order. */
  readonly operands: ReadonlyArray<string>
  readonly flags: Readonly<Record<string, Flag>>
}

/** A command. */
export interface Command extends CommandSyntax {
  /** Decodes the arguments into an executable effect. */
  readonly prepare: (
    given: CommandArguments
  ) => Effect.Effect<Effect.Effect<Output, CommandFailed, CommandServices>, UsageError>
}

/** Makes a command whose arguments are decoded by a schema; its fields are the operand and flag names. */
export const command = <A, I>(
  { input, run, ...call }: CommandSyntax & {
    readonly input: Schema.Schema<A, I>
    readonly run: (input: A) => Effect.Effect<Output, CommandFailed, CommandServices>
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

/** Gets an account; fails when it does not exist. */
export const getAccount = (id: AccountId): Effect.Effect<Account, CommandFailed, AccountStore> =>
  Effect.flatMap(AccountStore, (store) => store.findAccount(id)).pipe(
    Effect.flatMap(Option.match({
      onNone: () => accountNotFound(id),
      onSome: Effect.succeed
    }))
  )

/** The error for an unknown account. */
const accountNotFound = (id: AccountId) =>
  new CommandFailed({ message: `There is no account ${id}: "trunkline accounts list" shows all accounts` })
