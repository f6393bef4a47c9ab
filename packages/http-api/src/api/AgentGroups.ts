import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Agent } from "@trunkline/agents"
import { TalkAnswer, TalkRequest } from "@trunkline/engine"
import { Schema } from "effect"
import { Error402, Error404, Error422, Error502 } from "../errors/ErrorSchemas.js"
import { WorkspaceAdmission } from "./Admission.js"
import { BodyIsOptional, LimitedBy, RouteImportance, workspaceParams, workspacePrefix } from "./RouteDeclaration.js"

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
  .add(
    HttpApiEndpoint.post("agents.talk", "/agents/:agent_id/talk")
      .annotate(OpenApi.Summary, "Talk to an agent by text")
      .setPath(Schema.Struct({ ...workspaceParams, agent_id: Schema.String }))
      .setPayload(TalkRequest)
      .addSuccess(TalkAnswer)
      .addError(Error402)
      .addError(Error404)
      .addError(Error422)
      .addError(Error502)
      .annotate(BodyIsOptional, true)
      .annotate(LimitedBy, "chat")
      .annotate(RouteImportance, "conversation")
  )
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "deployments")
  .middleware(WorkspaceAdmission)
{}
