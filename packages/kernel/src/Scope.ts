import { Schema } from "effect"

const opaque = Schema.String.pipe(Schema.pattern(/^[^/]{1,128}$/))

/** An organisation's id: chosen by the embedder, 1 to 128 characters without `/` (shapes 0.1). */
export const OrgId = opaque.pipe(Schema.brand("OrgId"))
export type OrgId = typeof OrgId.Type

/** A workspace's id: chosen by the embedder, 1 to 128 characters without `/` (shapes 0.1). */
export const WorkspaceId = opaque.pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type

/** The workspace that a piece of data belongs to. Every store method takes one; nothing crosses it. */
export class Scope extends Schema.Class<Scope>("Scope")({
  org_id: OrgId,
  workspace_id: WorkspaceId
}) {}

/** A key that is equal for equal scopes, for maps. */
export const scopeKey = (scope: Scope): string => `${scope.org_id}/${scope.workspace_id}`
