import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { roleNames } from "@trunkline/engine"
import { Timestamp } from "@trunkline/kernel"
import { Schema } from "effect"
import { AnsweredBy } from "./RouteDeclaration.js"

/** Health of the engine: `ok`, or `draining` (with status 503) once it accepts no more calls. */
export const HealthReport = Schema.Struct({
  status: Schema.Literal("ok", "draining"),
  /** Number of calls in progress. */
  calls: Schema.NonNegativeInt,
  /** Current business time. */
  time: Timestamp,
  /** Roles of this process among those that share its database; all of them where it is the only one. */
  roles: Schema.Array(Schema.Literal(...roleNames))
})

const Document = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/** Health check and OpenAPI document. They need no key. */
export class ServiceGroup extends HttpApiGroup.make("service", { topLevel: true })
  .annotate(OpenApi.Description, "The server itself.")
  .add(
    HttpApiEndpoint.get("service.health", "/health")
      .annotate(OpenApi.Summary, "Check the health of the server")
      .addSuccess(HealthReport)
      .addSuccess(HealthReport, { status: 503 })
  )
  .add(
    HttpApiEndpoint.get("service.openapi", "/openapi.json")
      .annotate(OpenApi.Summary, "Get this OpenAPI document")
      .addSuccess(Document)
  )
  .annotate(AnsweredBy, null)
{}
