import { type Scope, scopeKey } from "@trunkline/kernel"
import { Context } from "effect"
import type { AgentTool } from "../AgentTool.js"

/** Something that a host offers to workspaces, by its name. */
interface Offered {
  readonly name: string
  /** Workspaces that may use it, as `org/workspace`; absent: all. */
  readonly workspaces?: ReadonlyArray<string>
}

/** A secret that requests of tools may carry, and the services that may receive it. */
export interface OfferedSecret extends Offered {
  /** Origins of the services, such as `https://crm.example.com`. */
  readonly origins: ReadonlyArray<string>
}

/**
 * Functions, MCP servers and secrets of the host that agents of workspaces may use by their names. Whoever has a key of a workspace
 * can define an agent, so that nothing is offered by default.
 */
export class HostOffer extends Context.Reference<HostOffer>()("@trunkline/agents/HostOffer", {
  defaultValue: (): HostOffer.Service => ({ functions: [], mcpServers: [], secrets: [] })
}) {}

export declare namespace HostOffer {
  /** Service of the reference. */
  export interface Service {
    /** Declarations of the functions. */
    readonly functions: ReadonlyArray<AgentTool>
    readonly mcpServers: ReadonlyArray<Offered>
    readonly secrets: ReadonlyArray<OfferedSecret>
  }
}

/** True for something that a workspace may use. */
export const isOpenTo = (scope: Scope) => ({ workspaces }: Offered): boolean =>
  workspaces === undefined || workspaces.includes(scopeKey(scope))

/** Origin of a URL; empty for any other text. */
const originOf = (url: string): string => URL.canParse(url) ? new URL(url).origin : ""

/** Names of the secrets that a request of a tool of a workspace may carry. */
export const openSecrets = (
  { secrets }: Pick<HostOffer.Service, "secrets">,
  scope: Scope,
  url: string
): ReadonlyArray<string> => {
  const origin = originOf(url)
  return origin === ""
    ? []
    : secrets.filter(isOpenTo(scope)).filter(({ origins }) => origins.some((each) => originOf(each) === origin))
      .map(({ name }) => name)
}
