import { type Callee, calleeFor } from "@trunkline/telephony"
import { type Door, firstDoor, isSimulated, type ServerConfig, speedOf, StartError } from "trunkline/server"

/** Key, agent, connection and files that the demo uses. */
export interface DemoPlan extends Door {
  readonly agent: { readonly app_id: string; readonly app_version: number }
  readonly connection: { readonly connection_id: string; readonly phone_numbers: ReadonlyArray<string> }
  readonly contacts: { readonly name: string; readonly text: string }
  readonly transformation: string
  /** True when webhooks may go to the receiver on this machine. */
  readonly webhooks: boolean
  readonly speed: number
  /** Expected outcome of a call to this number. */
  readonly expected: (number: string) => Connectivity
}

/** A `connectivity_status`, as attempts show it. */
export type Connectivity = "connected" | "busy" | "no_answer" | "failed"

/** A bootstrap file lacks something that the demo needs; the message names it. */
export class NoDemo extends StartError {}

/** Picks the first key that opens a workspace, the first agent with a committed version and the first connection. */
export const demoPlan = (bootstrap: ServerConfig, files: Pick<DemoPlan, "contacts" | "transformation">): DemoPlan => {
  const door = firstDoor(bootstrap)
  const agent =
    bootstrap.agents.flatMap(({ app_id, versions }) =>
      versions.filter(({ committed }) => committed).map(({ app_version }) => ({ app_id, app_version }))
    )[0]
  const connection = bootstrap.connections.find((line) => isSimulated(line) && line.phone_numbers.length > 0)
  if (door === undefined || agent === undefined || connection === undefined) {
    throw new NoDemo(
      "The demo needs a key that opens a workspace, an agent with a committed version and a simulated connection with "
        + "a number; start with --no-demo to serve without it"
    )
  }
  const { default: fallback, rules } = bootstrap.simulator
  return {
    ...door,
    agent,
    connection,
    ...files,
    webhooks: bootstrap.allow_insecure_urls && bootstrap.allow_private_urls,
    speed: speedOf(bootstrap),
    expected: (number) => endOf(calleeFor(rules, fallback, number))
  }
}

const endOf = (callee: Callee): Connectivity => {
  switch (callee) {
    case "busy":
    case "decline":
      return "busy"
    case "no_answer":
      return "no_answer"
    case "invalid":
    case "provider_error":
      return "failed"
    default:
      return "connected"
  }
}
