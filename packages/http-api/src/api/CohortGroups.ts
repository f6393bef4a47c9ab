import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Cohort, CohortFileType, CohortPreview, CohortPreviewRequest, cohortSortable } from "@trunkline/cohorts"
import { CohortId, listParameters, pageOf } from "@trunkline/kernel"
import { Schema } from "effect"
import { Error404, Error422 } from "../errors/ErrorSchemas.js"
import { WorkspaceAdmission } from "./Admission.js"
import { ContactsBody, contactsLimit, formLimit, FromUrlBody, fromUrlLimit, UploadForm } from "./CohortBodies.js"
import { BodyLimit, LimitedBy, RouteImportance, workspaceParams, workspacePrefix } from "./RouteDeclaration.js"

const deploymentParams = { ...workspaceParams, deployment_id: Schema.String }
const campaignParams = { ...workspaceParams, campaign_id: Schema.String }
const query = listParameters({ sortable: cohortSortable })
const fileQuery = Schema.Struct({ file_type: CohortFileType })

/** CSV of a cohort, or JSON of its transformation. */
const FileContent = HttpApiSchema.Text({ contentType: "text/csv" })

/** Cohorts: lists of contacts for deployments and campaigns. */
export class CohortsGroup extends HttpApiGroup.make("cohorts", { topLevel: true })
  .annotate(OpenApi.Description, "Lists of contacts for deployments and campaigns.")
  .add(
    HttpApiEndpoint.post("cohorts.preview", "/cohorts/preview")
      .annotate(OpenApi.Summary, "Preview the rows of a cohort")
      .setPath(Schema.Struct(workspaceParams))
      .setPayload(CohortPreviewRequest)
      .addSuccess(CohortPreview)
      .annotate(RouteImportance, "batch")
      .annotate(BodyLimit, fromUrlLimit)
  )
  .add(
    HttpApiEndpoint.post("deployments.cohorts.upload", "/deployments/:deployment_id/cohorts/upload")
      .annotate(OpenApi.Summary, "Upload a cohort to a deployment")
      .setPath(Schema.Struct(deploymentParams))
      .setPayload(UploadForm)
      .addSuccess(Cohort)
      .annotate(RouteImportance, "batch")
      .annotate(BodyLimit, formLimit)
  )
  .add(
    HttpApiEndpoint.post("deployments.cohorts.fetch", "/deployments/:deployment_id/cohorts")
      .annotate(OpenApi.Summary, "Create a cohort of a deployment from a URL")
      .setPath(Schema.Struct(deploymentParams))
      .setPayload(FromUrlBody)
      .addSuccess(Cohort)
      .annotate(RouteImportance, "batch")
      .annotate(BodyLimit, fromUrlLimit)
  )
  .add(
    HttpApiEndpoint.post("deployments.cohorts.add", "/deployments/:deployment_id/cohorts/stream")
      .annotate(OpenApi.Summary, "Create a cohort of a deployment from a list of contacts")
      .setPath(Schema.Struct(deploymentParams))
      .setPayload(ContactsBody)
      .addSuccess(Cohort)
      .annotate(BodyLimit, contactsLimit)
  )
  .add(
    HttpApiEndpoint.get("deployments.cohorts.list", "/deployments/:deployment_id/cohorts")
      .annotate(OpenApi.Summary, "List the cohorts of a deployment")
      .setPath(Schema.Struct(deploymentParams))
      .setUrlParams(query)
      .addSuccess(pageOf(Cohort))
  )
  .add(
    HttpApiEndpoint.get("deployments.cohorts.get", "/deployments/:deployment_id/cohorts/:cohort_id")
      .annotate(OpenApi.Summary, "Get a cohort of a deployment")
      .setPath(Schema.Struct({ ...deploymentParams, cohort_id: CohortId }))
      .addSuccess(Cohort)
  )
  .add(
    HttpApiEndpoint.get("deployments.cohorts.file", "/deployments/:deployment_id/cohorts/:cohort_id/files")
      .annotate(OpenApi.Summary, "Download a file of a cohort of a deployment")
      .setPath(Schema.Struct({ ...deploymentParams, cohort_id: CohortId }))
      .setUrlParams(fileQuery)
      .addSuccess(FileContent)
      .annotate(RouteImportance, "batch")
  )
  .add(
    HttpApiEndpoint.post("campaigns.cohorts.upload", "/campaigns/:campaign_id/cohorts/upload")
      .annotate(OpenApi.Summary, "Upload a cohort to a campaign")
      .setPath(Schema.Struct(campaignParams))
      .setPayload(UploadForm)
      .addSuccess(Cohort)
      .annotate(RouteImportance, "batch")
      .annotate(BodyLimit, formLimit)
  )
  .add(
    HttpApiEndpoint.post("campaigns.cohorts.fetch", "/campaigns/:campaign_id/cohorts")
      .annotate(OpenApi.Summary, "Create a cohort of a campaign from a URL")
      .setPath(Schema.Struct(campaignParams))
      .setPayload(FromUrlBody)
      .addSuccess(Cohort)
      .annotate(RouteImportance, "batch")
      .annotate(BodyLimit, fromUrlLimit)
  )
  .add(
    HttpApiEndpoint.post("campaigns.cohorts.add", "/campaigns/:campaign_id/cohorts/stream")
      .annotate(OpenApi.Summary, "Create a cohort of a campaign from a list of contacts")
      .setPath(Schema.Struct(campaignParams))
      .setPayload(ContactsBody)
      .addSuccess(Cohort)
      .annotate(BodyLimit, contactsLimit)
  )
  .add(
    HttpApiEndpoint.get("campaigns.cohorts.list", "/campaigns/:campaign_id/cohorts")
      .annotate(OpenApi.Summary, "List the cohorts of a campaign")
      .setPath(Schema.Struct(campaignParams))
      .setUrlParams(query)
      .addSuccess(pageOf(Cohort))
  )
  .add(
    HttpApiEndpoint.get("campaigns.cohorts.get", "/campaigns/:campaign_id/cohorts/:cohort_id")
      .annotate(OpenApi.Summary, "Get a cohort of a campaign")
      .setPath(Schema.Struct({ ...campaignParams, cohort_id: CohortId }))
      .addSuccess(Cohort)
  )
  .add(
    HttpApiEndpoint.get("campaigns.cohorts.file", "/campaigns/:campaign_id/cohorts/:cohort_id/files")
      .annotate(OpenApi.Summary, "Download a file of a cohort of a campaign")
      .setPath(Schema.Struct({ ...campaignParams, cohort_id: CohortId }))
      .setUrlParams(fileQuery)
      .addSuccess(FileContent)
      .annotate(RouteImportance, "batch")
  )
  .addError(Error404)
  .addError(Error422)
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "cohorts")
  .middleware(WorkspaceAdmission)
{}
