import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Missing, OutOfService } from "../Reported.js"

/** A model as it is listed (shapes 9.3). */
export const ListedModel = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("model"),
  /** Unix seconds. */
  created: Schema.Int,
  owned_by: Schema.String
}).annotations({ identifier: "Model" })

/** The models that v2 serves, for anybody to see; with a key, those that it may use (specification, Chat completions v2). */
export const ModelList = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(ListedModel)
}).annotations({ identifier: "ModelList" })

/** The models (specification, Chat completions v2; shapes 9.3). */
export class ModelsGroup extends HttpApiGroup.make("models")
  .annotate(OpenApi.Description, "The models of v2.")
  .add(
    HttpApiEndpoint.get("list", "/v2/models")
      .annotate(OpenApi.Summary, "List models")
      .addSuccess(ModelList)
      .addError(OutOfService)
  )
  .add(
    HttpApiEndpoint.get("get", "/v2/models/:model_id")
      .annotate(OpenApi.Summary, "Get a model")
      .setPath(Schema.Struct({ model_id: Schema.String }))
      .addSuccess(ListedModel)
      .addError(Missing)
      .addError(OutOfService)
  )
{}
