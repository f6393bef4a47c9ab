import type { OpenApi } from "@effect/platform"
import { Either, Option, Predicate, Schema, SchemaAST as AST } from "effect"
import { declaredRoutes } from "../api/RouteTable.js"

/** Values of the parameters that some routes require, by which the defaults of the others are found. */
const requiredValues: Readonly<Record<string, string>> = {
  start_datetime: "2026-01-01T00:00:00Z",
  end_datetime: "2026-01-02T00:00:00Z",
  file_type: "cohort"
}

/** Keywords of JSON Schema that a number's checks state. Numbers in queries are whole. */
const boundsOf = (ast: AST.AST): object | undefined => {
  switch (ast._tag) {
    case "Refinement": {
      const inner = boundsOf(ast.from)
      return inner && { ...inner, ...Option.getOrElse(AST.getJSONSchemaAnnotation(ast), () => ({})) }
    }
    case "NumberKeyword":
      return { type: "integer" }
    case "Union": {
      const numbers = ast.types.filter((type) => type._tag !== "UndefinedKeyword")
      return numbers.length === 1 && numbers[0] !== undefined ? boundsOf(numbers[0]) : undefined
    }
    default:
      return undefined
  }
}

/** Bounds and defaults of the parameters of a query, by operation and name. */
const statedSchemas: ReadonlyMap<string, ReadonlyMap<string, object>> = new Map(
  declaredRoutes.flatMap(({ endpoint }) =>
    Option.toArray(endpoint.urlParamsSchema).map((schema) => {
      const fields = AST.getPropertySignatures(AST.typeAST(schema.ast))
      const values = Object.fromEntries(
        fields.flatMap(({ name }) => {
          const value = requiredValues[String(name)]
          return value === undefined ? [] : [[name, value]]
        })
      )
      const defaults = Either.getOrElse(
        Schema.decodeUnknownEither(Schema.make<Readonly<Record<string, unknown>>, unknown>(schema.ast))(values),
        (): Readonly<Record<string, unknown>> => ({})
      )
      return [
        endpoint.name,
        new Map(fields.map(({ name, type }) => {
          const value = defaults[String(name)]
          const hasDefault = requiredValues[String(name)] === undefined &&
            (Predicate.isNumber(value) || (Predicate.isString(value) && value !== ""))
          return [String(name), { ...boundsOf(type), ...(hasDefault && { default: value }) }]
        }))
      ] as const
    })
  )
)

/** Texts of parameters, by name. */
const texts: Readonly<Record<string, string>> = {
  after: "Cursor of the page that comes before the one asked for, from `cursors.after`.",
  app_id: "Id of the agent.",
  agent_id: "Id of the agent, its `app_id`.",
  app_version: "Number of the version.",
  attempt_id: "Id of the attempt.",
  base_version: "Number of the version to compare with.",
  before: "Cursor of the page that comes after the one asked for, from `cursors.before`.",
  board_id: "Id of the board.",
  campaign_id: "Id of the campaign.",
  campaign_status: "Keeps campaigns of this status.",
  cohort_id: "Id of the cohort.",
  collection: "Keeps documents of this collection.",
  connection_id: "Id of the phone line.",
  deployment_id: "Id of the deployment.",
  document_id: "Id of the document.",
  end_datetime: "Keeps what was before this time.",
  file_type: "File of the import: the contacts, the rows that were rejected, or the transformation.",
  filter_conditions: "Conditions that every item meets, as JSON.",
  filter_id: "Id of the filter.",
  filter_values: "Values of the board's filters by their internal names, as JSON.",
  from: "First day, such as 2026-01-31; 30 days ago by default.",
  height: "Height of the chart in pixels.",
  interaction_id: "Id of the interaction.",
  limit: "Largest number of items on the page.",
  max_age: "Age in seconds up to which an earlier result may be returned.",
  model_id: "Id of the model.",
  number: "Phone number in E.164, whose `+` is `%2B`.",
  offset: "Number of items before the page.",
  ongoing: "True to begin with the calls that go on, with what was said so far; the newest 500.",
  org_id: "Id of the organisation.",
  reason: "Keeps contacts that wait for this reason.",
  response_id: "Id of the response.",
  rule_id: "Id of the notification rule.",
  search: "Keeps items that contain this text, in any case.",
  sort_by: "Field that items are sorted by.",
  sort_order: "Order of items.",
  start_datetime: "Keeps what was at or after this time.",
  state: "Keeps contacts in this state.",
  status: "Keeps deliveries of this status.",
  tab_id: "Id of the tab.",
  to: "Last day, such as 2026-01-31; today by default.",
  token: "Token of the address of a call's WebSocket, good for one call.",
  voice_id: "Id of the voice.",
  widget_id: "Id of the widget.",
  width: "Width of the chart in pixels.",
  workspace_id: "Id of the workspace."
}

const jsonSchema = (schema: object): OpenApi.OpenAPISpecParameter["schema"] => JSON.parse(JSON.stringify(schema))

/**
 * Describes a parameter, with the bounds and the default of a query's. HttpApi describes numbers as the strings that they are
 * in a URL.
 */
export const describeParameter =
  (operationId: string) => (parameter: OpenApi.OpenAPISpecParameter): OpenApi.OpenAPISpecParameter => {
    const { name, schema } = parameter
    const override = statedSchemas.get(operationId)?.get(name)
    const entry = { ...parameter, description: texts[name] ?? "" }
    if (override === undefined) return entry
    return { ...entry, schema: jsonSchema("type" in override ? override : { ...schema, ...override }) }
  }
