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
import { Admission } from "../Admission.js"
import { checked } from "../Checked.js"
import { Missing, Unprocessable } from "../Reported.js"
import { LimitedBy, Matters } from "../RouteAnnotations.js"
import { inWorkspace, workspacePrefix } from "./Workspace.js"

const workspace = Schema.Struct(inWorkspace)
const one = Schema.Struct({ ...inWorkspace, deployment_id: DeploymentId })

/** What deleting a deployment answers (shapes 2.4). */
export const DeploymentDeleted = Schema.Struct({ deployment_id: DeploymentId, deleted: Schema.Literal(true) })

/** Agents that answer phone numbers (specification, Deployments; shapes 2). */
export class DeploymentsGroup extends HttpApiGroup.make("deployments")
  .annotate(OpenApi.Description, "Agents that answer phone numbers.")
  .add(
    HttpApiEndpoint.post("create", "/deployments")
      .annotate(OpenApi.Summary, "Create a deployment")
      .setPath(workspace)
      .setPayload(checked("body", CreateDeployment))
      .addSuccess(DeploymentDetail)
      .addError(Unprocessable)
  )
  .add(
    HttpApiEndpoint.get("list", "/deployments")
      .annotate(OpenApi.Summary, "List deployments")
      .setPath(workspace)
      .setUrlParams(checked("query", listParameters({ sortable: deploymentSortable })))
      .addSuccess(pageOf(DeploymentSummary))
      .addError(Unprocessable)
  )
  .add(
    HttpApiEndpoint.get("get", "/deployments/:deployment_id")
      .annotate(OpenApi.Summary, "Get a deployment")
      .setPath(one)
      .addSuccess(DeploymentDetail)
      .addError(Missing)
  )
  .add(
    HttpApiEndpoint.patch("patch", "/deployments/:deployment_id")
      .annotate(OpenApi.Summary, "Update a deployment")
      .setPath(one)
      .setPayload(checked("body", PatchDeployment))
      .addSuccess(DeploymentDetail)
      .addError(Missing)
      .addError(Unprocessable)
  )
  .add(
    HttpApiEndpoint.del("remove", "/deployments/:deployment_id")
      .annotate(OpenApi.Summary, "Delete a deployment")
      .setPath(one)
      .addSuccess(DeploymentDeleted)
      .addError(Missing)
      .annotate(Matters, "calls")
  )
  .add(
    HttpApiEndpoint.put("act", "/deployments/:deployment_id/status")
      .annotate(OpenApi.Summary, "Pause or resume a deployment")
      .setPath(one)
      .setPayload(checked("body", DeploymentAction))
      .addSuccess(DeploymentDetail)
      .addError(Missing)
      .addError(Unprocessable)
      .annotate(Matters, "calls")
  )
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "deployments")
  .middleware(Admission)
{}
