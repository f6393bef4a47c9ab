import type { BodyColumn, WorkspaceColumns } from "./Columns.js"

/** Agents of workspaces, without their versions. */
interface WorkspaceAgentsTable extends WorkspaceColumns, BodyColumn {
  readonly app_id: string
}

/** Versions of agents of workspaces. */
interface WorkspaceAgentVersionsTable extends WorkspaceColumns, BodyColumn {
  readonly app_id: string
  readonly app_version: number
  /** Characters of the definition as JSON. */
  readonly characters: number
}

/** The tables of agents that are made over HTTP. */
export interface AgentTables {
  readonly workspace_agents: WorkspaceAgentsTable
  readonly workspace_agent_versions: WorkspaceAgentVersionsTable
}
