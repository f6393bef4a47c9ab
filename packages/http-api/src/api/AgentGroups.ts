import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Agent } from "@trunkline/agents"
import { Schema } from "effect"
import { Error404 } from "../errors/ErrorSchemas.js"
import { WorkspaceAdmission } from "./Admission.js"
import { LimitedBy, workspaceParams, workspacePrefix } from "./RouteDeclaration.js"

/** Agents that the host application or the server's configuration defines. */
export class AgentsGroup extends HttpApiGroup.make("agents", { topLevel: true })
  .annotate(OpenApi.Description, "Agents and their versions, as the host defines them.")
  .add(
    HttpApiEndpoint.get("agents.list", "/agents")
      .annotate(OpenApi.Summary, "List the agents of a workspace")
      .setPath(Schema.Struct(workspaceParams))
      .addSuccess(Schema.Struct({ items: Schema.Array(Agent) }))
  )
  .add(
    HttpApiEndpoint.get("agents.get", "/agents/:agent_id")
      .annotate(OpenApi.Summary, "Get an agent")
      .setPath(Schema.Struct({ ...workspaceParams, agent_id: Schema.String }))
      .addSuccess(Agent)
      .addError(Error404)
  )
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "deployments")
  .middleware(WorkspaceAdmission)
{}
