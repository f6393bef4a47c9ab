import { Schema } from "effect"

/** Where the routes of organisations begin (specification, Endpoints). */
export const workspacePrefix = "/v1/orgs/:org_id/workspaces/:workspace_id"

/** The path parameters of every route of a workspace; what they hold is checked on admission. */
export const inWorkspace = { org_id: Schema.String, workspace_id: Schema.String }
