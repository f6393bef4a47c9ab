/** An option of a command, such as `--label <text>`. */
export interface CommandFlag {
  /** Placeholder of the value in the help; absent for a boolean flag. */
  readonly value?: string
  /** True when the flag can be given several times. */
  readonly repeatable?: boolean
  /** True when the command requires the flag. */
  readonly required?: boolean
  readonly about: string
}

/** Syntax of a command. */
export interface CommandSyntax {
  readonly about: string
  /** Required operands, in order. */
  readonly operands: ReadonlyArray<string>
  readonly flags: Readonly<Record<string, CommandFlag>>
}

/** Flags of all commands. */
export const commonFlags: Readonly<Record<string, CommandFlag>> = {
  data: { value: "folder", about: "the data folder of the server (TRUNKLINE_DATA, default: .trunkline)" },
  database: { value: "url", about: "the PostgreSQL database of the server, in place of a folder (TRUNKLINE_DATABASE)" },
  json: { about: "print JSON" },
  help: { about: "print this text" }
}

/** Name of a command, such as `keys create`. */
export type CommandName =
  | "accounts create"
  | "accounts update"
  | "accounts list"
  | "keys create"
  | "keys list"
  | "keys revoke"
  | "credits show"
  | "credits grant"
  | "credits usage"

/** Number of ledger entries that `credits show` prints. */
export const maxEntries = 10

/** Syntax of all commands, in the order of the help. It needs no library, so the help is printed at once. */
export const syntaxOf: Readonly<Record<CommandName, CommandSyntax>> = {
  "accounts create": {
    about: "Creates an account with its workspaces.",
    operands: ["account"],
    flags: {
      plan: { value: "plan", about: "starter, pro or business (default: starter)" },
      credits: { value: "micro-credits", about: "initial credits for paid services (default: unlimited)" },
      workspace: { value: "organisation/workspace", repeatable: true, about: "a workspace of the account" },
      "max-concurrent-calls": {
        value: "number",
        about: "limit of each workspace (default: the channels of its lines)"
      },
      init: { about: "create the data folder if it does not exist" }
    }
  },
  "accounts update": {
    about:
      "Changes an account's plan, or adds or changes workspaces. Takes effect on a running server within 5 seconds.",
    operands: ["account"],
    flags: {
      plan: { value: "plan", about: "starter, pro or business (default: unchanged)" },
      workspace: { value: "organisation/workspace", repeatable: true, about: "a workspace to add or change" },
      "max-concurrent-calls": {
        value: "number",
        about: "limit of each --workspace, or lines for the channels of its lines (default: unchanged)"
      }
    }
  },
  "accounts list": {
    about: "Lists all accounts with their balances in micro-credits and their workspaces.",
    operands: [],
    flags: {}
  },
  "keys create": {
    about: "Creates a key for an account and prints it. It cannot be printed again: only its hash is stored.",
    operands: [],
    flags: {
      account: { value: "account", required: true, about: "the account of the key" },
      label: { value: "text", about: "a label for its owner (default: key)" },
      workspace: {
        value: "workspace",
        repeatable: true,
        about: "a workspace that it can access (default: all of the account)"
      },
      feature: { value: "feature", repeatable: true, about: "a feature to enable for the key: beta" },
      model: { value: "model", repeatable: true, about: "a model that it can use (default: all)" },
      env: { value: "name", about: "the environment in the key's text (default: live)" },
      budget: { value: "micro-credits/period", about: "spending limit, such as 5000000/month; or /day, or /total" }
    }
  },
  "keys list": {
    about: "Lists the keys of an account, including revoked ones.",
    operands: [],
    flags: { account: { value: "account", required: true, about: "the account of the keys" } }
  },
  "keys revoke": {
    about: "Revokes a key permanently. A running server rejects it within 5 seconds.",
    operands: ["key"],
    flags: { account: { value: "account", required: true, about: "the account of the key" } }
  },
  "credits show": {
    about: `Shows the balance of an account in micro-credits and the newest ${maxEntries} entries of its ledger.`,
    operands: ["account"],
    flags: {}
  },
  "credits grant": {
    about: "Adds micro-credits to an account. Each reference is added only once, so the command is safe to repeat.",
    operands: ["account", "micro-credits"],
    flags: { reference: { value: "text", required: true, about: "the reason, such as an invoice number" } }
  },
  "credits usage": {
    about: "Shows the usage of an account by day and family: its cost and the amount charged, in micro-credits.",
    operands: ["account"],
    flags: {
      from: { value: "day", about: "the first day, such as 2026-11-01 (default: no limit)" },
      to: { value: "day", about: "the last day (default: no limit)" }
    }
  }
}
