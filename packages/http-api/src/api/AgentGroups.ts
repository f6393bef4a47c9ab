import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  AgentDifferences,
  AgentRecord,
  CommitVersion,
  CreateAgent,
  CreateVersion,
  PatchAgent,
  PatchVersion,
  VersionRecord
} from "@trunkline/agents"
import { TalkAnswer, TalkRequest } from "@trunkline/engine"
import { QueryInt } from "@trunkline/kernel"
import { Schema } from "effect"
import { Error402, Error404, Error422, Error502 } from "../errors/ErrorSchemas.js"
import { WorkspaceAdmission } from "./Admission.js"
import {
  BodyIsOptional,
  BodyLimit,
  type BodySize,
  LimitedBy,
  RouteImportance,
  workspaceParams,
  workspacePrefix
} from "./RouteDeclaration.js"

/** Largest number of a version that a request names: 9 digits. */
const maxVersion = 999_999_999

const workspace = Schema.Struct(workspaceParams)
const agent = Schema.Struct({ ...workspaceParams, agent_id: Schema.String })
const version = Schema.Struct({ ...agent.fields, app_version: Schema.String })

const differences = Schema.Struct({
  /** Number of the version to compare with. */
  base_version: QueryInt.pipe(Schema.between(1, maxVersion))
})

/** Size limits of a definition: as many characters as one may have, of up to four bytes. */
const definitionSize: BodySize = { bytes: 1_048_576, values: 10_000 }

/** Agents of the host's code or configuration, and those of workspaces with their versions. */
export class AgentsGroup extends HttpApiGroup.make("agents", { topLevel: true })
  .annotate(
    OpenApi.Description,
    "Agents and their versions: those of the server's code or configuration, and those of the workspace."
  )
  .add(
    HttpApiEndpoint.get("agents.list", "/agents")
      .annotate(OpenApi.Summary, "List the agents of a workspace")
      .setPath(workspace)
      .addSuccess(Schema.Struct({ items: Schema.Array(AgentRecord) }))
  )
  .add(
    HttpApiEndpoint.post("agents.create", "/agents")
      .annotate(OpenApi.Summary, "Create an agent")
      .setPath(workspace)
      .setPayload(CreateAgent)
      .addSuccess(AgentRecord)
      .addError(Error422)
      .annotate(BodyLimit, definitionSize)
  )
  .add(
    HttpApiEndpoint.get("agents.get", "/agents/:agent_id")
      .annotate(OpenApi.Summary, "Get an agent")
      .setPath(agent)
      .addSuccess(AgentRecord)
      .addError(Error404)
  )
  .add(
    HttpApiEndpoint.patch("agents.update", "/agents/:agent_id")
      .annotate(OpenApi.Summary, "Update an agent")
      .setPath(agent)
      .setPayload(PatchAgent)
      .addSuccess(AgentRecord)
      .addError(Error404)
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.get("agents.versions.list", "/agents/:agent_id/versions")
      .annotate(OpenApi.Summary, "List the versions of an agent")
      .setPath(agent)
      .addSuccess(Schema.Struct({ items: Schema.Array(VersionRecord) }))
      .addError(Error404)
  )
  .add(
    HttpApiEndpoint.post("agents.versions.create", "/agents/:agent_id/versions")
      .annotate(OpenApi.Summary, "Create a draft of an agent")
      .setPath(agent)
      .setPayload(CreateVersion)
      .addSuccess(VersionRecord)
      .addError(Error404)
      .addError(Error422)
      .annotate(BodyIsOptional, true)
      .annotate(BodyLimit, definitionSize)
  )
  .add(
    HttpApiEndpoint.get("agents.versions.get", "/agents/:agent_id/versions/:app_version")
      .annotate(OpenApi.Summary, "Get a version of an agent")
      .setPath(version)
      .addSuccess(VersionRecord)
      .addError(Error404)
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.patch("agents.versions.update", "/agents/:agent_id/versions/:app_version")
      .annotate(OpenApi.Summary, "Update a draft of an agent")
      .setPath(version)
      .setPayload(PatchVersion)
      .addSuccess(VersionRecord)
      .addError(Error404)
      .addError(Error422)
      .annotate(BodyLimit, definitionSize)
  )
  .add(
    HttpApiEndpoint.post("agents.versions.commit", "/agents/:agent_id/versions/:app_version/commit")
      .annotate(OpenApi.Summary, "Commit a draft of an agent")
      .setPath(version)
      .setPayload(CommitVersion)
      .addSuccess(VersionRecord)
      .addError(Error404)
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.get("agents.versions.differences", "/agents/:agent_id/versions/:app_version/differences")
      .annotate(OpenApi.Summary, "Compare two versions of an agent")
      .setPath(version)
      .setUrlParams(differences)
      .addSuccess(AgentDifferences)
      .addError(Error404)
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.post("agents.talk", "/agents/:agent_id/talk")
      .annotate(OpenApi.Summary, "Talk to an agent by text")
      .setPath(agent)
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
