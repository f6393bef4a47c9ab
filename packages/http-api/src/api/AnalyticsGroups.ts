import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  AttemptDetail,
  AttemptItem,
  CallQuery,
  InteractionItem,
  InteractionQuery,
  Transcript
} from "@trunkline/analytics"
import { AppId, AttemptId, InteractionId, pageOf, PhoneNumber } from "@trunkline/kernel"
import { HangUp } from "@trunkline/telephony"
import { Schema } from "effect"
import { Error404, Error408, Error422, Error503 } from "../errors/ErrorSchemas.js"
import { WorkspaceAdmission } from "./Admission.js"
import { LimitedBy, RouteImportance, workspaceParams, workspacePrefix } from "./RouteDeclaration.js"

/** Recording of a conversation. */
const WavFile = HttpApiSchema.Uint8Array({ contentType: "audio/wav" })

const agentParams = { ...workspaceParams, app_id: AppId }
const agent = Schema.Struct(agentParams)

/** Attempts, interactions, transcripts and recordings of an agent's calls. */
export class AnalyticsGroup extends HttpApiGroup.make("analytics", { topLevel: true })
  .annotate(OpenApi.Description, "Records of calls.")
  .add(
    HttpApiEndpoint.get("analytics.attempts", "/attempts")
      .annotate(OpenApi.Summary, "List call attempts")
      .setPath(agent)
      .setUrlParams(CallQuery)
      .addSuccess(pageOf(AttemptItem))
      .addError(Error404)
      .addError(Error408)
      .addError(Error503)
  )
  .add(
    HttpApiEndpoint.get("analytics.interactions", "/interactions")
      .annotate(OpenApi.Summary, "List interactions")
      .setPath(agent)
      .setUrlParams(InteractionQuery)
      .addSuccess(pageOf(InteractionItem))
      .addError(Error404)
      .addError(Error408)
      .addError(Error503)
  )
  .add(
    HttpApiEndpoint.get("analytics.transcript", "/transcripts/:interaction_id")
      .annotate(OpenApi.Summary, "Get the transcript of an interaction")
      .setPath(Schema.Struct({ ...agentParams, interaction_id: InteractionId }))
      .addSuccess(Transcript)
      .addError(Error404)
  )
  .add(
    HttpApiEndpoint.get("analytics.recording", "/recordings/:interaction_id")
      .annotate(OpenApi.Summary, "Download the recording of an interaction")
      .setPath(Schema.Struct({ ...agentParams, interaction_id: InteractionId }))
      .addSuccess(WavFile)
      .addError(Error404)
      .addError(Error503)
  )
  .addError(Error422)
  .annotate(LimitedBy, "analytics")
  .prefix("/analytics/v1/:org_id/:workspace_id/:app_id")
  .middleware(WorkspaceAdmission)
{}

/** Attempts by their ids, in a workspace rather than of an agent. */
export class AttemptsGroup extends HttpApiGroup.make("attempts", { topLevel: true })
  .annotate(OpenApi.Description, "Single attempts.")
  .add(
    HttpApiEndpoint.get("attempts.get", "/attempts/:attempt_id")
      .annotate(OpenApi.Summary, "Get a call attempt that has ended")
      .setPath(Schema.Struct({ ...workspaceParams, attempt_id: AttemptId }))
      .addSuccess(AttemptDetail)
      .addError(Error404)
  )
  .add(
    HttpApiEndpoint.post("attempts.hangUp", "/attempts/:attempt_id/hang-up")
      .annotate(OpenApi.Summary, "Hang up a call")
      .setPath(Schema.Struct({ ...workspaceParams, attempt_id: AttemptId }))
      .addSuccess(HangUp)
      .addError(Error404)
      .annotate(LimitedBy, "outbounds")
      .annotate(RouteImportance, "calls")
  )
  .addError(Error422)
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "analytics")
  .middleware(WorkspaceAdmission)
{}

/**
 * Names the contact in the body, because identifiers of contacts must not appear in URLs and logs: by the identifier that the
 * host gave, or by phone number.
 */
const EraseContact = Schema.Union(
  Schema.Struct({ user_identifier: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(1_024)) }),
  Schema.Struct({ phone_number: PhoneNumber })
)

const Count = Schema.NonNegativeInt

/** Proof of an erasure by phone number. It holds no personal data. */
const ErasureReceiptBody = Schema.Struct({
  /** Last four digits of the number. */
  phone_ending: Schema.String,
  /** Organisation and workspace, such as `acme/main`. */
  workspace: Schema.String,
  /** Real time, in ISO 8601. */
  erased_at: Schema.String,
  /** Rows that were erased. */
  erased: Schema.Struct({
    calls: Count,
    attempts: Count,
    webhooks: Count,
    contacts: Count,
    cohort_rows: Count,
    dials: Count,
    files: Count
  }),
  /** Work that goes on, and so was left alone. */
  open: Schema.Struct({ attempts: Count, contacts: Count, webhooks: Count }),
  /** True when nothing was left; otherwise repeat the erasure later. */
  complete: Schema.Boolean
})

/** Erasure of a contact's data from analytics. */
export class ErasureGroup extends HttpApiGroup.make("erasure", { topLevel: true })
  .annotate(OpenApi.Description, "Erasure of personal data.")
  .add(
    HttpApiEndpoint.post("erasures.create", "/erasures")
      .annotate(OpenApi.Summary, "Erase the data of a contact")
      .setPath(Schema.Struct(workspaceParams))
      .setPayload(EraseContact)
      .addSuccess(Schema.Struct({
        /** Number of erased attempts. */
        erased_attempts: Count,
        /** Proof, for a phone number. */
        receipt: Schema.optionalWith(ErasureReceiptBody, { exact: true })
      }))
  )
  .addError(Error422)
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "analytics")
  .middleware(WorkspaceAdmission)
{}
