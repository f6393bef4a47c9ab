import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { SpendLimit } from "@trunkline/errors"
import { emptyAsAbsent } from "@trunkline/kernel"
import { LimitLevels, Plan } from "@trunkline/rate-limits"
import { Schema } from "effect"
import { Error422 } from "../errors/ErrorSchemas.js"
import { WorkspaceAdmission } from "./Admission.js"
import { LimitedBy, workspaceParams, workspacePrefix } from "./RouteDeclaration.js"

const Day = Schema.String.pipe(Schema.pattern(/^\d{4}-\d{2}-\d{2}$/, { message: () => "Must be a day, as YYYY-MM-DD" }))

/** The account of a key: rights of the key, limits of the account, and usage. */
const AccountDetail = Schema.Struct({
  account_id: Schema.String,
  plan: Plan,
  /** The key of the request, without its text. */
  key: Schema.Struct({
    key_id: Schema.String,
    label: Schema.String,
    /** Workspaces that the key opens; `*` for all of the account. */
    workspaces: Schema.Union(Schema.Literal("*"), Schema.Array(Schema.String)),
    features: Schema.Array(Schema.String),
    /** Models that the key may use; null for all. */
    models: Schema.NullOr(Schema.Array(Schema.String)),
    /** Budget of the key with what it has used, in micro-credits; null without one. */
    budget: Schema.NullOr(SpendLimit)
  }),
  /** Credits of the account, of which a million micro-credits are one. */
  credits: Schema.Struct({
    /** Micro-credits; null for an account without a limit. */
    balance: Schema.NullOr(Schema.Int),
    /** Micro-credits that requests in progress have reserved. */
    reserved: Schema.Int
  }),
  limits: LimitLevels,
  /** Use of all keys of the account, by day and family. */
  usage: Schema.Array(Schema.Struct({
    /** Day in the time zone of the server's credits, as YYYY-MM-DD. */
    day: Schema.String,
    /** Family of requests, such as `chat`. */
    api: Schema.String,
    requests: Schema.Int,
    /** Quantities by unit, such as `input_token`. */
    units: Schema.Record({ key: Schema.String, value: Schema.Number }),
    /** Price in micro-credits. */
    cost: Schema.Int,
    /** Micro-credits that were charged: fewer than the price where the account has no limit, or had too few. */
    charged: Schema.Int
  }))
})

/** Limits, credits and usage of the account of a key. */
export class AccountGroup extends HttpApiGroup.make("account", { topLevel: true })
  .annotate(OpenApi.Description, "The account of a key: its limits, credits and usage.")
  .add(
    HttpApiEndpoint.get("account.get", "/account")
      .annotate(OpenApi.Summary, "Get limits, credits and usage of the account")
      .setPath(Schema.Struct(workspaceParams))
      .setUrlParams(Schema.Struct({
        /** First day of the usage; 30 days before `to` by default. */
        from: emptyAsAbsent(Day),
        /** Last day of the usage; today by default. */
        to: emptyAsAbsent(Day)
      }))
      .addSuccess(AccountDetail)
  )
  .addError(Error422)
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "deployments")
  .middleware(WorkspaceAdmission)
{}
