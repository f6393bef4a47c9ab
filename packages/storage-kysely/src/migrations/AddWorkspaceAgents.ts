import { onBoth } from "./tables/Statements.js"

/** Adds agents of workspaces with their versions. */
export const addWorkspaceAgents = onBoth([
  `create table workspace_agents (
    org_id text not null,
    workspace_id text not null,
    app_id text not null,
    body text not null,
    primary key (org_id, workspace_id, app_id)
  )`,
  `create table workspace_agent_versions (
    org_id text not null,
    workspace_id text not null,
    app_id text not null,
    app_version integer not null,
    characters integer not null,
    body text not null,
    primary key (org_id, workspace_id, app_id, app_version)
  )`
])
