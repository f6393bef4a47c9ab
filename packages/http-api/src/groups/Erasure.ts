import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Admission } from "../Admission.js"
import { checked } from "../Checked.js"
import { Unprocessable } from "../Reported.js"
import { LimitedBy } from "../RouteAnnotations.js"
import { inWorkspace, workspacePrefix } from "./Workspace.js"

/** Whom to forget; in the body, since identifiers of people have no business in addresses and logs. */
const Forget = Schema.Struct({
  user_identifier: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(1_024))
})

/** Forgetting people: an extension (design: boards 3.3). */
export class ErasureGroup extends HttpApiGroup.make("erasure")
  .annotate(OpenApi.Description, "Forgetting people.")
  .add(
    HttpApiEndpoint.post("user", "/erasures")
      .annotate(OpenApi.Summary, "Erase what analytics keeps of a person")
      .setPath(Schema.Struct(inWorkspace))
      .setPayload(checked("body", Forget))
      .addSuccess(Schema.Struct({
        /** How many attempts were theirs. */
        erased_attempts: Schema.NonNegativeInt
      }))
  )
  .addError(Unprocessable)
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "analytics")
  .middleware(Admission)
{}
