import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { readinessChecks, roleNames } from "@trunkline/engine"
import { Timestamp } from "@trunkline/kernel"
import { Schema } from "effect"
import { Error404 } from "../errors/ErrorSchemas.js"
import { RouteRole } from "./RouteDeclaration.js"

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

/** Result of the checks of a server, of which each must succeed. */
export const ReadinessReport = Schema.Struct({
  ready: Schema.Boolean,
  checks: Schema.Array(Schema.Struct({
    name: Schema.Literal(...readinessChecks),
    ok: Schema.Boolean,
    /** The finding, in words. */
    detail: Schema.String
  }))
})

/** Sign of life of a server. */
const LifeReport = Schema.Struct({ status: Schema.Literal("ok") })

const Document = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/** Health checks and OpenAPI document. They need no key. */
export class ServiceGroup extends HttpApiGroup.make("service", { topLevel: true })
  .annotate(OpenApi.Description, "The server itself.")
  .add(
    HttpApiEndpoint.get("service.health", "/health")
      .annotate(OpenApi.Summary, "Check the health of the server")
      .addSuccess(HealthReport)
      .addSuccess(HealthReport, { status: 503 })
  )
  .add(
    HttpApiEndpoint.get("service.live", "/livez")
      .annotate(OpenApi.Summary, "Check that the process of the server responds")
      .addSuccess(LifeReport)
  )
  .add(
    HttpApiEndpoint.get("service.ready", "/readyz")
      .annotate(OpenApi.Summary, "Check that the server should get requests and calls")
      .addSuccess(ReadinessReport)
      .addSuccess(ReadinessReport, { status: 503 })
  )
  .add(
    HttpApiEndpoint.get("service.openapi", "/openapi.json")
      .annotate(OpenApi.Summary, "Get this OpenAPI document")
      .addSuccess(Document)
  )
  .add(
    HttpApiEndpoint.get("service.docs", "/docs")
      .annotate(OpenApi.Summary, "Read this OpenAPI document as a page")
      .addSuccess(HttpApiSchema.Text({ contentType: "text/html" }))
      .addError(Error404)
  )
  .annotate(RouteRole, null)
{}
