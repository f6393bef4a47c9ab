import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Cohort, CohortFileType, cohortSortable } from "@trunkline/cohorts"
import { CohortId, listParameters, pageOf } from "@trunkline/kernel"
import { Schema } from "effect"
import { Admission } from "../Admission.js"
import { checked } from "../Checked.js"
import { Missing, Unprocessable } from "../Reported.js"
import { LargestBody, LimitedBy, Matters } from "../RouteAnnotations.js"
import { FromUrl, largestForm, largestFromUrl, largestStream, OfPeople, UploadForm } from "./CohortBodies.js"
import { inWorkspace, workspacePrefix } from "./Workspace.js"

const ofDeployment = { ...inWorkspace, deployment_id: Schema.String }
const ofCampaign = { ...inWorkspace, campaign_id: Schema.String }
const query = checked("query", listParameters({ sortable: cohortSortable }))
const fileQuery = checked("query", Schema.Struct({ file_type: CohortFileType }))

/** A CSV, or the JSON of a transformation. */
const FileContent = HttpApiSchema.Text({ contentType: "text/csv" })

/** The people of deployments and campaigns (specification, Cohorts; shapes 4, 13). */
export class CohortsGroup extends HttpApiGroup.make("cohorts")
  .annotate(OpenApi.Description, "Lists of people for deployments and campaigns.")
  .add(
    HttpApiEndpoint.post("uploadToDeployment", "/deployments/:deployment_id/cohorts/upload")
      .annotate(OpenApi.Summary, "Upload a cohort to a deployment")
      .setPath(Schema.Struct(ofDeployment))
      .setPayload(UploadForm)
      .addSuccess(Cohort)
      .annotate(Matters, "batch")
      .annotate(LargestBody, largestForm)
  )
  .add(
    HttpApiEndpoint.post("fetchToDeployment", "/deployments/:deployment_id/cohorts")
      .annotate(OpenApi.Summary, "Create a cohort of a deployment from a URL")
      .setPath(Schema.Struct(ofDeployment))
      .setPayload(checked("body", FromUrl))
      .addSuccess(Cohort)
      .annotate(Matters, "batch")
      .annotate(LargestBody, largestFromUrl)
  )
  .add(
    HttpApiEndpoint.post("streamToDeployment", "/deployments/:deployment_id/cohorts/stream")
      .annotate(OpenApi.Summary, "Create a cohort of a deployment from a list of people")
      .setPath(Schema.Struct(ofDeployment))
      .setPayload(checked("body", OfPeople))
      .addSuccess(Cohort)
      .annotate(LargestBody, largestStream)
  )
  .add(
    HttpApiEndpoint.get("listOfDeployment", "/deployments/:deployment_id/cohorts")
      .annotate(OpenApi.Summary, "List the cohorts of a deployment")
      .setPath(Schema.Struct(ofDeployment))
      .setUrlParams(query)
      .addSuccess(pageOf(Cohort))
  )
  .add(
    HttpApiEndpoint.get("getOfDeployment", "/deployments/:deployment_id/cohorts/:cohort_id")
      .annotate(OpenApi.Summary, "Get a cohort of a deployment")
      .setPath(Schema.Struct({ ...ofDeployment, cohort_id: CohortId }))
      .addSuccess(Cohort)
  )
  .add(
    HttpApiEndpoint.get("fileOfDeployment", "/deployments/:deployment_id/cohorts/:cohort_id/files")
      .annotate(OpenApi.Summary, "Download a file of a cohort of a deployment")
      .setPath(Schema.Struct({ ...ofDeployment, cohort_id: CohortId }))
      .setUrlParams(fileQuery)
      .addSuccess(FileContent)
      .annotate(Matters, "batch")
  )
  .add(
    HttpApiEndpoint.post("uploadToCampaign", "/campaigns/:campaign_id/cohorts/upload")
      .annotate(OpenApi.Summary, "Upload a cohort to a campaign")
      .setPath(Schema.Struct(ofCampaign))
      .setPayload(UploadForm)
      .addSuccess(Cohort)
      .annotate(Matters, "batch")
      .annotate(LargestBody, largestForm)
  )
  .add(
    HttpApiEndpoint.post("fetchToCampaign", "/campaigns/:campaign_id/cohorts")
      .annotate(OpenApi.Summary, "Create a cohort of a campaign from a URL")
      .setPath(Schema.Struct(ofCampaign))
      .setPayload(checked("body", FromUrl))
      .addSuccess(Cohort)
      .annotate(Matters, "batch")
      .annotate(LargestBody, largestFromUrl)
  )
  .add(
    HttpApiEndpoint.post("streamToCampaign", "/campaigns/:campaign_id/cohorts/stream")
      .annotate(OpenApi.Summary, "Create a cohort of a campaign from a list of people")
      .setPath(Schema.Struct(ofCampaign))
      .setPayload(checked("body", OfPeople))
      .addSuccess(Cohort)
      .annotate(LargestBody, largestStream)
  )
  .add(
    HttpApiEndpoint.get("listOfCampaign", "/campaigns/:campaign_id/cohorts")
      .annotate(OpenApi.Summary, "List the cohorts of a campaign")
      .setPath(Schema.Struct(ofCampaign))
      .setUrlParams(query)
      .addSuccess(pageOf(Cohort))
  )
  .add(
    HttpApiEndpoint.get("getOfCampaign", "/campaigns/:campaign_id/cohorts/:cohort_id")
      .annotate(OpenApi.Summary, "Get a cohort of a campaign")
      .setPath(Schema.Struct({ ...ofCampaign, cohort_id: CohortId }))
      .addSuccess(Cohort)
  )
  .add(
    HttpApiEndpoint.get("fileOfCampaign", "/campaigns/:campaign_id/cohorts/:cohort_id/files")
      .annotate(OpenApi.Summary, "Download a file of a cohort of a campaign")
      .setPath(Schema.Struct({ ...ofCampaign, cohort_id: CohortId }))
      .setUrlParams(fileQuery)
      .addSuccess(FileContent)
      .annotate(Matters, "batch")
  )
  .addError(Missing)
  .addError(Unprocessable)
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "cohorts")
  .middleware(Admission)
{}
