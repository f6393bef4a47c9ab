import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { DeploymentId, listParameters, pageOf } from "@trunkline/kernel"
import {
  CreateDeployment,
  DeploymentAction,
  DeploymentDetail,
  deploymentSortable,
  DeploymentSummary,
  PatchDeployment
} from "@trunkline/telephony"
import { Schema } from "effect"
import { Error404, Error422 } from "../errors/ErrorSchemas.js"
import { WorkspaceAdmission } from "./Admission.js"
import { LimitedBy, RouteImportance, workspaceParams, workspacePrefix } from "./RouteDeclaration.js"

const workspace = Schema.Struct(workspaceParams)
const deployment = Schema.Struct({ ...workspaceParams, deployment_id: DeploymentId })

/** Response to the deletion of a deployment. */
const DeploymentDeleted = Schema.Struct({ deployment_id: DeploymentId, deleted: Schema.Literal(true) })

/** Deployments: agents that answer phone numbers. */
export class DeploymentsGroup extends HttpApiGroup.make("deployments", { topLevel: true })
  .annotate(OpenApi.Description, "Agents that answer phone numbers.")
  .add(
    HttpApiEndpoint.post("deployments.create", "/deployments")
      .annotate(OpenApi.Summary, "Create a deployment")
      .setPath(workspace)
      .setPayload(CreateDeployment)
      .addSuccess(DeploymentDetail)
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.get("deployments.list", "/deployments")
      .annotate(OpenApi.Summary, "List deployments")
      .setPath(workspace)
      .setUrlParams(listParameters({ sortable: deploymentSortable }))
      .addSuccess(pageOf(DeploymentSummary))
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.get("deployments.get", "/deployments/:deployment_id")
      .annotate(OpenApi.Summary, "Get a deployment")
      .setPath(deployment)
      .addSuccess(DeploymentDetail)
      .addError(Error404)
  )
  .add(
    HttpApiEndpoint.patch("deployments.update", "/deployments/:deployment_id")
      .annotate(OpenApi.Summary, "Update a deployment")
      .setPath(deployment)
      .setPayload(PatchDeployment)
      .addSuccess(DeploymentDetail)
      .addError(Error404)
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.del("deployments.remove", "/deployments/:deployment_id")
      .annotate(OpenApi.Summary, "Delete a deployment")
      .setPath(deployment)
      .addSuccess(DeploymentDeleted)
      .addError(Error404)
      .annotate(RouteImportance, "calls")
  )
  .add(
    HttpApiEndpoint.put("deployments.updateStatus", "/deployments/:deployment_id/status")
      .annotate(OpenApi.Summary, "Pause or resume a deployment")
      .setPath(deployment)
      .setPayload(DeploymentAction)
      .addSuccess(DeploymentDetail)
      .addError(Error404)
      .addError(Error422)
      .annotate(RouteImportance, "calls")
  )
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "deployments")
  .middleware(WorkspaceAdmission)
{}
