import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Timestamp } from "@trunkline/kernel"
import { Schema } from "effect"

/** Whether the engine works: `ok`, or `draining` once it takes no more calls, then with status 503. */
export const HealthReport = Schema.Struct({
  status: Schema.Literal("ok", "draining"),
  /** Calls going on. */
  calls: Schema.NonNegativeInt,
  /** Business time. */
  time: Timestamp
})

const Document = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/** What needs no key: the health check and the description of the API. */
export class ServiceGroup extends HttpApiGroup.make("service")
  .annotate(OpenApi.Description, "The server itself.")
  .add(
    HttpApiEndpoint.get("health", "/health")
      .annotate(OpenApi.Summary, "Check the health of the server")
      .addSuccess(HealthReport)
      .addSuccess(HealthReport, { status: 503 })
  )
  .add(
    HttpApiEndpoint.get("openapi", "/openapi.json")
      .annotate(OpenApi.Summary, "Get this description")
      .addSuccess(Document)
  )
{}
