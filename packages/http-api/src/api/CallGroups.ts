import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { BrowserCallToken, CreateBrowserCall } from "@trunkline/engine"
import { CampaignId, ConnectionId, emptyAsAbsent, listParameters, pageOf, PhoneNumber } from "@trunkline/kernel"
import { BlockedNumber, BlockNumbers, CreateOutbound, LineDetail, OutboundStarted } from "@trunkline/telephony"
import { Schema } from "effect"
import { Error403, Error404, Error413, Error422, Error503 } from "../errors/ErrorSchemas.js"
import { WorkspaceAdmission } from "./Admission.js"
import {
  BodyLimit,
  LimitedBy,
  RouteImportance,
  RouteRole,
  workspaceParams,
  workspacePrefix
} from "./RouteDeclaration.js"

/** Single outbound calls. */
export class OutboundsGroup extends HttpApiGroup.make("outbounds", { topLevel: true })
  .annotate(OpenApi.Description, "Single outbound calls.")
  .add(
    HttpApiEndpoint.post("outbounds.start", "/outbounds")
      .annotate(OpenApi.Summary, "Start a call")
      .setPath(Schema.Struct(workspaceParams))
      .setPayload(CreateOutbound)
      .addSuccess(OutboundStarted)
      .addError(Error503)
      .addError(Error422)
  )
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "outbounds")
  .annotate(RouteImportance, "calls")
  .middleware(WorkspaceAdmission)
{}

/**
 * Live events of calls, for dashboards. A request that asks for a WebSocket receives text frames, any other request
 * server-sent events.
 */
export class CallsGroup extends HttpApiGroup.make("calls", { topLevel: true })
  .annotate(OpenApi.Description, "Live events of calls.")
  .add(
    HttpApiEndpoint.get("calls.live", "/calls/live")
      .annotate(OpenApi.Summary, "Follow calls as they happen")
      .setPath(Schema.Struct(workspaceParams))
      .setUrlParams(Schema.Struct({
        campaign_id: emptyAsAbsent(CampaignId),
        ongoing: emptyAsAbsent(Schema.BooleanFromString)
      }))
      .addSuccess(HttpApiSchema.Text({ contentType: "text/event-stream" }))
      .addError(Error404)
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.post("calls.talk", "/calls/talk")
      .annotate(OpenApi.Summary, "Make a token for a call from a browser")
      .setPath(Schema.Struct(workspaceParams))
      .setPayload(CreateBrowserCall)
      .addSuccess(BrowserCallToken)
      .addError(Error404)
      .addError(Error422)
      .addError(Error503)
      .annotate(LimitedBy, "outbounds")
      .annotate(RouteImportance, "calls")
  )
  .prefix(workspacePrefix)
  .middleware(WorkspaceAdmission)
{}

/**
 * WebSocket of a call from a browser. It needs no API key: its token, which is good for one call, stands for the workspace.
 */
export class BrowserCallsGroup extends HttpApiGroup.make("browserCalls", { topLevel: true })
  .annotate(OpenApi.Description, "Calls with agents from browsers.")
  .add(
    HttpApiEndpoint.get("browserCalls.open", "/calls/talk")
      .annotate(OpenApi.Summary, "Open the WebSocket of a call from a browser")
      .setPath(Schema.Struct(workspaceParams))
      .setUrlParams(Schema.Struct({ token: emptyAsAbsent(Schema.String) }))
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Error422)
      .addError(Error503)
  )
  .prefix(workspacePrefix)
  .annotate(RouteRole, "dial")
  .annotate(RouteImportance, "calls")
{}

/** Phone lines and their state. */
export class LinesGroup extends HttpApiGroup.make("lines", { topLevel: true })
  .annotate(OpenApi.Description, "Phone lines of a workspace and their state.")
  .add(
    HttpApiEndpoint.get("lines.list", "/lines")
      .annotate(OpenApi.Summary, "List phone lines and their state")
      .setPath(Schema.Struct(workspaceParams))
      .addSuccess(Schema.Struct({ items: Schema.Array(LineDetail) }))
  )
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "deployments")
  .middleware(WorkspaceAdmission)
{}

const { limit, offset } = listParameters({ sortable: ["created_at"] }).fields

/** Phone numbers that a workspace never calls. */
export class BlockedNumbersGroup extends HttpApiGroup.make("blockedNumbers", { topLevel: true })
  .annotate(OpenApi.Description, "Numbers that a workspace never calls.")
  .add(
    HttpApiEndpoint.get("blockedNumbers.list", "/blocked-numbers")
      .annotate(OpenApi.Summary, "List blocked numbers")
      .setPath(Schema.Struct(workspaceParams))
      .setUrlParams(Schema.Struct({ limit, offset }))
      .addSuccess(pageOf(BlockedNumber))
  )
  .add(
    HttpApiEndpoint.post("blockedNumbers.add", "/blocked-numbers")
      .annotate(OpenApi.Summary, "Block numbers")
      .setPath(Schema.Struct(workspaceParams))
      .setPayload(BlockNumbers)
      .addSuccess(Schema.Struct({
        /** Every number of the request once; numbers that were already blocked keep their reason and date. */
        items: Schema.Array(BlockedNumber)
      }))
      .annotate(RouteImportance, "calls")
  )
  .add(
    HttpApiEndpoint.del("blockedNumbers.remove", "/blocked-numbers/:number")
      .annotate(OpenApi.Summary, "Unblock a number")
      .setPath(Schema.Struct({ ...workspaceParams, number: Schema.String }))
      .addSuccess(Schema.Struct({ phone_number: PhoneNumber, deleted: Schema.Literal(true) }))
      .addError(Error404)
  )
  .addError(Error422)
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "campaigns")
  .middleware(WorkspaceAdmission)
{}

/** Largest event of a provider. */
export const carrierEventLimit = { bytes: 65_536, values: 10_000 }

/** The event's raw bytes, of any content type, since the provider signs them. */
const signedBytes = { required: true, content: { "*/*": { schema: {} } } }

const StreamToken = Schema.String.pipe(Schema.maxLength(256))

/** Instructions for a call in the provider's own form. */
const instructions = HttpApiSchema.Text({ contentType: "text/xml" })

/**
 * Webhook for telephony providers, which report the progress of calls here. It needs no API key: the carrier of the
 * connection verifies the provider's signature.
 */
export class CarrierEventsGroup extends HttpApiGroup.make("carrierEvents", { topLevel: true })
  .annotate(OpenApi.Description, "Events that telephony providers send.")
  .add(
    HttpApiEndpoint.post("carrierEvents.receive", "/v1/connections/:connection_id/events")
      .annotate(OpenApi.Summary, "Receive an event of a telephony provider")
      .annotate(OpenApi.Override, { requestBody: signedBytes })
      .setPath(Schema.Struct({ connection_id: ConnectionId }))
      .addSuccess(HttpApiSchema.NoContent)
      .addSuccess(instructions)
      .addError(Error403)
      .addError(Error404)
      .addError(Error503)
      .addError(Error413)
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.get("carrierEvents.ask", "/v1/connections/:connection_id/events")
      .annotate(OpenApi.Summary, "Tell a telephony provider what to do with a call")
      .setPath(Schema.Struct({ connection_id: ConnectionId }))
      .addSuccess(HttpApiSchema.NoContent)
      .addSuccess(instructions)
      .addError(Error403)
      .addError(Error404)
      .addError(Error503)
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.get("carrierEvents.stream", "/v1/connections/:connection_id/streams/:token")
      .annotate(OpenApi.Summary, "Open the WebSocket of a call")
      .setPath(Schema.Struct({ connection_id: ConnectionId, token: StreamToken }))
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Error404)
      .addError(Error503)
      .addError(Error422)
  )
  .annotate(BodyLimit, carrierEventLimit)
  .annotate(RouteRole, null)
  .annotate(RouteImportance, "calls")
{}
