import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { ConnectionId } from "@trunkline/kernel"
import { Schema } from "effect"
import { Forbidden, Missing, OutOfService, TooLarge, Unprocessable } from "../Reported.js"
import { LargestBody, Matters } from "../RouteAnnotations.js"

/** The largest push of a provider: events are short. */
export const largestPush = { bytes: 65_536, values: 10_000 }

/** The bytes of a push, of any type: the signature is over them. */
const signedBytes = { required: true, content: { "*/*": { schema: {} } } }

/**
 * Where providers tell what becomes of calls: an extension of ours. There is no API key; the driver of the connection
 * checks the provider's own signature.
 */
export class CarrierEventsGroup extends HttpApiGroup.make("carrierEvents")
  .annotate(OpenApi.Description, "What telephony providers push.")
  .add(
    HttpApiEndpoint.post("receive", "/v1/connections/:connection_id/events")
      .annotate(OpenApi.Summary, "Receive an event of a telephony provider")
      .annotate(OpenApi.Override, { requestBody: signedBytes })
      .setPath(Schema.Struct({ connection_id: ConnectionId }))
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Forbidden)
      .addError(Missing)
      .addError(OutOfService)
      .addError(TooLarge)
      .addError(Unprocessable)
  )
  .annotate(LargestBody, largestPush)
  .annotate(Matters, "calls")
{}
