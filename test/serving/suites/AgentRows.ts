import { type Json, workspace } from "../Client.js"

const agent = `${workspace}/agents/{agent_id}`
const version = `${agent}/versions/{app_version}`

/** Routes of agents, each with a valid request, in an order in which they can be sent. */
export const agentRows = [
  { method: "GET", path: `${workspace}/agents` },
  { method: "POST", path: `${workspace}/agents`, body: () => ({ app_id: "night", version: {} }) },
  { method: "GET", path: agent },
  { method: "PATCH", path: agent, body: () => ({ revision: 1, name: "Front desk" }) },
  { method: "GET", path: `${agent}/versions` },
  { method: "POST", path: `${agent}/versions`, body: () => ({}), optional: true },
  { method: "GET", path: version },
  { method: "PATCH", path: version, body: () => ({ revision: 1, first_message: "Good evening" }) },
  { method: "POST", path: `${version}/commit`, body: () => ({ revision: 2 }) },
  { method: "GET", path: `${version}/differences`, query: "?base_version=1" },
  { method: "POST", path: `${agent}/talk`, body: () => ({}), optional: true }
]

/** Ids of resources, with those of a new agent and its draft. */
export const withAgent = async (
  made: (path: string, body: unknown) => Promise<Json>,
  ids: Readonly<Record<string, string>>
): Promise<Readonly<Record<string, string>>> => ({
  ...ids,
  agent_id: (await made("/agents", { app_id: "front", version: { first_message: "Hello" } })).app_id,
  app_version: "1"
})
