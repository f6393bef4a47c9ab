import { AppId, AttemptId, OrgId, PhoneNumber, Variables, WebhookConfig, WorkspaceId } from "@trunkline/kernel"
import { Sealer } from "@trunkline/notifications"
import { AppOverrides } from "@trunkline/telephony"
import { Effect, Option, Schema } from "effect"

/** Marks a sealed text as a ticket: the sealer seals other secrets as well. */
const kind = "browser-call"

/** Content of a token for a call from a browser. It is sealed, so that the browser cannot read or change it. */
export const Ticket = Schema.Struct({
  kind: Schema.Literal(kind),
  attempt_id: AttemptId,
  org_id: OrgId,
  workspace_id: WorkspaceId,
  app_id: AppId,
  app_version: Schema.Int,
  agent_variables: Variables,
  app_overrides: AppOverrides,
  user_identifier: Schema.String,
  user_phone_number: PhoneNumber,
  max_seconds: Schema.Int,
  webhook: Schema.NullOr(WebhookConfig),
  /** Epoch milliseconds of the Clock. */
  expires_at: Schema.Number
})
export type Ticket = typeof Ticket.Type

/** Longest token in characters: it is part of an address, and proxies take lines of 8 KiB. */
export const maxTokenLength = 6_000

const Text = Schema.parseJson(Ticket)
const encode = Schema.encode(Text)
const decode = Schema.decode(Text)

/** Tokens of tickets. */
export interface Tickets {
  readonly seal: (ticket: Omit<Ticket, "kind">) => Effect.Effect<string>
  /** None for a token that this engine, or one with the same secret, has not made. */
  readonly open: (token: string) => Effect.Effect<Option.Option<Ticket>>
}

/** Makes the tokens of tickets. */
export const makeTickets: Effect.Effect<Tickets, never, Sealer> = Effect.map(Sealer, (sealer) => ({
  seal: (ticket) => Effect.flatMap(Effect.orDie(encode({ ...ticket, kind })), sealer.seal),
  open: (token) =>
    token.length > maxTokenLength
      ? Effect.succeedNone
      : Effect.flatMap(
        sealer.open(token),
        Option.match({ onNone: () => Effect.succeedNone, onSome: (text) => Effect.option(decode(text)) })
      )
}))
