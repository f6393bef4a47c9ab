// Gives the types that a file of types repeats a name, so that each is read once.
import ts from "typescript"
import { camel } from "./written-types.mjs"

/** Lines that a repeated type has at least before it is worth a name. */
const fewestLines = 5

/** Lines that two records have at least before one is written as the other: shorter ones are alike by chance. */
const fewestTwinLines = 10

/** Names of types that their fields do not name well, by the first place of each. */
const statedNames = {
  "BlockedNumbers.item": "BlockedNumber",
  "CalleeModel.ring_seconds.answer": "Distribution",
  "CampaignDetail.canary": "CampaignCanary",
  "CampaignCanary.end_figures.control": "CanaryFigures",
  "Canary.end_figures.control": "CanaryFigures",
  "CanaryRecord.control": "CanaryArm",
  "Campaigns.canary.control": "CanaryArm",
  "CampaignsCreateBody.app_config": "CampaignConfig",
  "CohortTransformation.user_identifier": "ColumnRule",
  "CohortsAddToCampaignBody.user": "CohortUser",
  "CohortsFetchBody.cohort_transformation.user_identifier": "ColumnRule",
  "CreateVersion.voice": "PreferredVoice",
  "CreateVersion.state": "AgentState",
  "CreateVersion.recording": "RecordingRules",
  "AgentVersion.recording": "RecordingRules",
  "AttemptDetail.recording": "RecordingState",
  "CreatedVoice.language": "VoiceLanguage",
  "DecisionRecord.reason": "DecisionReason",
  "RehearsalReport.never_reached.cause.reason": "DecisionReason",
  "RehearsalReport.outcome.outcome": "OutcomeOfAttempt",
  "Response.error": "ResponseFailure",
  "Response.output": "OutputItem",
  "FunctionCallOutputInput.output": "InputContent",
  "OutputItem.content": "OutputContent",
  "ResponseFailure.spend_limit": "SpendLimit",
  "RetryConfig.retry_on.provider_error": "RetryRule",
  "TabRunResult.result.error.code": "BoardsFailureCode",
  "VersionRecord.tool.http": "ToolRequest",
  "WidgetsCreateBody.filter": "WidgetFilter"
}

/** Kind of a record by its field `type`, such as `function_call`. */
const kindOf = (text) => /^\{\s*readonly type: "(\w+)"/.exec(text)?.[1]

const singular = (word) => word.replace(/ies$/, "y").replace(/(?<![su])s$/, "")
const capital = (word) => `${word[0].toUpperCase()}${word.slice(1)}`

/** Lines of a type once it is formatted, about. */
const lengthOf = (text) =>
  text.includes("\n") ? text.split("\n").length : text.length > 110 ? text.split(" | ").length : 1

const parse = (text) => ts.createSourceFile("Types.ts", text, ts.ScriptTarget.ES2022, true)

const isValue = (type) => !["null", "undefined"].includes(type.getText())

/** True for unions of several types beside null and undefined. */
const isChoice = (node) => ts.isUnionTypeNode(node) && node.types.filter(isValue).length > 1

/** Types that have no name, by their texts: the places of each, with the names that lead to it, outermost first. */
const placesIn = (source) => {
  const places = new Map()
  const visit = (node, way) => {
    const isList = ts.isTypeReferenceNode(node) && node.typeName.getText() === "ReadonlyArray"
    const inside = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
      ? [node.name.text]
      : ts.isPropertySignature(node)
      ? [...way, node.name.getText().replaceAll(/\W/g, "")]
      : isList
      ? [...way.slice(0, -1), singular(way.at(-1))]
      : way
    const isDeclared = node.parent !== undefined && ts.isTypeAliasDeclaration(node.parent)
    if ((ts.isTypeLiteralNode(node) || isChoice(node)) && !isDeclared) {
      const last = ts.isUnionTypeNode(node) ? node.types.findLast(isValue) : node
      const [start, end] = [node.getStart(), last.getEnd()]
      const text = source.text.slice(start, end)
      places.set(text, [...places.get(text) ?? [], { way: inside, start, end, isRecord: node === last }])
    }
    ts.forEachChild(node, (child) => visit(child, inside))
  }
  visit(source, [])
  return places
}

/** The bodies of interfaces and other declared types, by their texts. */
const declarationsIn = (source) =>
  new Map(source.statements.flatMap((statement) =>
    ts.isInterfaceDeclaration(statement) && !statement.heritageClauses
      ? [[statement.getText().slice(statement.getText().indexOf("{")), statement.name.text]]
      : ts.isTypeAliasDeclaration(statement)
      ? [[statement.type.getText(), statement.name.text]]
      : []
  ))

/** A free name for a type, from the field that all its places have, with the record around it where that is taken. */
const nameFor = (type, places, taken) => {
  const [first] = places
  const field = first.way.at(-1)
  const stated = statedNames[first.way.join(".")]
  if (stated !== undefined && !taken.has(stated)) return stated
  if (places.some(({ way }) => way.at(-1) !== field)) return undefined
  const kind = first.isRecord ? kindOf(type) : undefined
  const parts = [...first.way, ...kind === undefined ? [] : [`${kind}_${field}`]].map((part) => capital(camel(part)))
  return parts.map((_, index) => parts.slice(parts.length - 1 - index).join("")).find((name) => !taken.has(name))
}

/** Text of a file of types in which a record with the fields of one before it is that one by another name. */
const nameTwins = (text) => {
  const source = parse(text)
  const names = new Map()
  const twins = source.statements.filter(ts.isInterfaceDeclaration).flatMap((statement) => {
    const whole = statement.getText()
    const body = whole.slice(whole.indexOf("{"))
    const name = names.get(body)
    if (name === undefined) names.set(body, statement.name.text)
    return name === undefined || lengthOf(body) < fewestTwinLines
      ? []
      : [[whole, `export type ${statement.name.text} = ${name}`]]
  })
  return twins.reduce((rest, [whole, alias]) => rest.replace(whole, () => alias), text)
}

/** Text of a file of types in which each type that repeats has a name. */
export const nameRepeats = (text) => {
  const source = parse(text)
  const declared = declarationsIn(source)
  const taken = new Set(source.statements.flatMap(({ name }) => name === undefined ? [] : [name.text]))
  const candidates = Array.from(placesIn(source)).flatMap(([type, places]) => {
    const name = declared.get(type) ?? (places.length > 1 ? nameFor(type, places, taken) : undefined)
    return name !== undefined && lengthOf(type) >= fewestLines ? [{ name, type, places, length: lengthOf(type) }] : []
  })
  const [best] = candidates.sort((left, right) => right.length - left.length)
  if (best === undefined) return nameTwins(text)
  let rest = text
  for (const { start, end } of best.places.toReversed()) {
    rest = `${rest.slice(0, start)}${best.name}${rest.slice(end)}`
  }
  if (declared.has(best.type)) return nameRepeats(rest)
  const declaration = best.places[0].isRecord
    ? `export interface ${best.name} ${best.type}`
    : `export type ${best.name} = ${best.type}`
  const next = parse(rest).statements.find(({ name }) => name !== undefined && name.text.localeCompare(best.name) > 0)
  const at = next.getFullStart()
  return nameRepeats(`${rest.slice(0, at)}\n\n${declaration}${rest.slice(at)}`)
}
