import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "@effect/platform"
import { Cohort, CohortFileType, cohortSortable } from "@trunkline/cohorts"
import { CohortId, listParameters, pageOf, ResourceName } from "@trunkline/kernel"
import { Schema } from "effect"
import { Admission } from "../Admission.js"
import { checked } from "../Checked.js"
import { Missing, Unprocessable } from "../Reported.js"
import { LimitedBy, Matters } from "../RouteAnnotations.js"
import { inWorkspace, workspacePrefix } from "./Workspace.js"

const ofDeployment = { ...inWorkspace, deployment_id: Schema.String }
const ofCampaign = { ...inWorkspace, campaign_id: Schema.String }
const query = checked("query", listParameters({ sortable: cohortSortable }))
const fileQuery = checked("query", Schema.Struct({ file_type: CohortFileType }))

const File = Schema.Unknown.annotations({ jsonSchema: { type: "string", format: "binary" } })

/** The form of an upload (specification, Cohorts). It is read by the handler, part by part. */
const UploadForm = HttpApiSchema.MultipartStream(Schema.Struct({
  name: ResourceName,
  cohort_file: File,
  cohort_transformation_file: File
}))

/** A CSV, or the JSON of a transformation. */
const FileContent = HttpApiSchema.Text({ contentType: "text/csv" })

/** The people of deployments and campaigns (specification, Cohorts; shapes 4). */
export class CohortsGroup extends HttpApiGroup.make("cohorts")
  .add(
    HttpApiEndpoint.post("uploadToDeployment", "/deployments/:deployment_id/cohorts/upload")
      .setPath(Schema.Struct(ofDeployment))
      .setPayload(UploadForm)
      .addSuccess(Cohort)
      .annotate(Matters, "batch")
  )
  .add(
    HttpApiEndpoint.get("listOfDeployment", "/deployments/:deployment_id/cohorts")
      .setPath(Schema.Struct(ofDeployment))
      .setUrlParams(query)
      .addSuccess(pageOf(Cohort))
  )
  .add(
    HttpApiEndpoint.get("getOfDeployment", "/deployments/:deployment_id/cohorts/:cohort_id")
      .setPath(Schema.Struct({ ...ofDeployment, cohort_id: CohortId }))
      .addSuccess(Cohort)
  )
  .add(
    HttpApiEndpoint.get("fileOfDeployment", "/deployments/:deployment_id/cohorts/:cohort_id/files")
      .setPath(Schema.Struct({ ...ofDeployment, cohort_id: CohortId }))
      .setUrlParams(fileQuery)
      .addSuccess(FileContent)
      .annotate(Matters, "batch")
  )
  .add(
    HttpApiEndpoint.post("uploadToCampaign", "/campaigns/:campaign_id/cohorts/upload")
      .setPath(Schema.Struct(ofCampaign))
      .setPayload(UploadForm)
      .addSuccess(Cohort)
      .annotate(Matters, "batch")
  )
  .add(
    HttpApiEndpoint.get("listOfCampaign", "/campaigns/:campaign_id/cohorts")
      .setPath(Schema.Struct(ofCampaign))
      .setUrlParams(query)
      .addSuccess(pageOf(Cohort))
  )
  .add(
    HttpApiEndpoint.get("getOfCampaign", "/campaigns/:campaign_id/cohorts/:cohort_id")
      .setPath(Schema.Struct({ ...ofCampaign, cohort_id: CohortId }))
      .addSuccess(Cohort)
  )
  .add(
    HttpApiEndpoint.get("fileOfCampaign", "/campaigns/:campaign_id/cohorts/:cohort_id/files")
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
