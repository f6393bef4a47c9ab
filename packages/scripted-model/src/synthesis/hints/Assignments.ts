import { type Entities, findMentions } from "./Entities.js"
import { type Labels, labelsOf, nearness, wordBehind } from "./Labels.js"
import type { Property } from "./Property.js"
import { overlaps, type ValueSpan } from "./Values.js"

/** Longest message, in words, that may be the value itself. */
const shortAnswer = 4

/** Upper bound of parts of a text that are matched against a pattern. */
const maxParts = 30

const yes = /^(?:yes|yeah|yep|sure|ok|okay|true|हाँ|हां|जी)(?![\p{L}\p{M}])/iu
const no = /^(?:no|nope|not|never|false|नहीं|ना)(?![\p{L}\p{M}])/iu
const negation = /(?:^|[^\p{L}])(?:no|not|without|don['’]?t|never|skip)(?: (?:any|the|a|want|need))?\s$/iu

interface Wanted {
  readonly property: Property
  readonly labels: Labels
  readonly isRequired: boolean
  readonly items: ReadonlyArray<ValueSpan>
}

const itemsFor = (property: Property, entities: Entities): ReadonlyArray<ValueSpan> => {
  const { kind, members } = property
  if (members !== undefined) return findMentions(members, entities)
  switch (kind) {
    case "text":
      return [...entities.quotations, ...entities.names].toSorted((a, b) => a.start - b.start)
    case "whole":
      return entities.quotations
    case "flag":
    case undefined:
      return []
    default:
      return entities[kind]
  }
}

const flagOf = ({ isRequired, labels }: Wanted, { text }: Entities): boolean | undefined => {
  const [label] = labels.ownWords
  if (label !== undefined) return !negation.test(text.slice(Math.max(0, label.start - 20), label.start))
  if (!isRequired) return undefined
  return yes.test(text) ? true : no.test(text) ? false : undefined
}

/** Lists the parts of a text that may match a pattern: those with digits. */
const partsOf = ({ text }: Entities): ReadonlyArray<string> =>
  text.split(/\s+/).map((part) => part.replace(/^[^\p{L}\p{N}+#]+|[^\p{L}\p{N}]+$/gu, ""))
    .filter((part) => /\d/.test(part)).slice(0, maxParts)

/** Checks whether an entity of its kind is enough to mention an optional property. */
const speaksForItself = ({ kind, members }: Property) =>
  members !== undefined || (kind !== undefined && ["email", "phone", "link", "date", "time", "moment"].includes(kind))

/**
 * Assigns the entities of a message to properties: first those next to the property's name or an introducing word, then
 * the others by kind, in order. No entity is assigned twice, unless it is a member of both enums.
 */
export const assignValues = (
  requiredProperties: ReadonlyArray<Property>,
  optional: ReadonlyArray<Property>,
  entities: Entities
): ReadonlyMap<string, ReadonlyArray<unknown>> => {
  const values = new Map<string, ReadonlyArray<unknown>>()
  const usedValueSpans: Array<ValueSpan> = []
  const isFree = (item: ValueSpan) => !usedValueSpans.some((other) => overlaps(item, other))
  const assign = ({ property: { name } }: Wanted, item: ValueSpan) => {
    values.set(name, [item.value])
    usedValueSpans.push(item)
  }

  const properties = [...requiredProperties, ...optional].map((property, index): Wanted => ({
    property,
    labels: labelsOf(property, entities),
    isRequired: index < requiredProperties.length,
    items: itemsFor(property, entities)
  }))
  const single = properties.filter(({ property }) => !property.isList)
  const open = () => single.filter(({ property }) => !values.has(property.name))

  const claims = single.flatMap((one) =>
    one.labels.ownWords.length + one.labels.leadWords.length === 0
      ? []
      : one.items.map((item) => ({ one, item, near: nearness(item, one.labels, entities) }))
  ).filter(({ near }) => near > 0).toSorted((a, b) => b.near - a.near)
  for (const { item, one } of claims) if (!values.has(one.property.name) && isFree(item)) assign(one, item)

  for (const one of open()) {
    if (one.property.kind !== "text" || one.property.members !== undefined) continue
    const word = wordBehind(one.isRequired ? one.labels : { ...one.labels, leadWords: [] }, entities)
    if (word !== undefined && isFree(word)) assign(one, word)
  }

  for (const one of open()) {
    const flag = one.property.kind === "flag" ? flagOf(one, entities) : undefined
    if (flag !== undefined) values.set(one.property.name, [flag])
    if (!one.isRequired && !speaksForItself(one.property)) continue
    const { kind, members } = one.property
    if (members === undefined && (kind === "text" || kind === "whole")) continue
    const item = one.items.find(isFree) ?? (members === undefined ? undefined : one.items[0])
    if (item !== undefined) assign(one, item)
  }

  for (const { isRequired, items, labels, property: { isList, members, name } } of properties) {
    const free = isList ? items.filter((item) => members !== undefined || isFree(item)) : []
    if (free.length === 0 || !(isRequired || members !== undefined || labels.ownWords.length > 0)) continue
    values.set(name, [free.map(({ value }) => value)])
    usedValueSpans.push(...free)
  }

  const texts = open().filter(({ isRequired, property: { kind, members } }) =>
    isRequired && members === undefined && (kind === "text" || kind === "whole")
  )
  const isShort = texts.length === 1 && usedValueSpans.length === 0 && entities.words.length <= shortAnswer
  for (const one of texts) {
    const item = one.items.find(isFree)
    if (item !== undefined) assign(one, item)
    else if (one.property.kind === "whole" || isShort) values.set(one.property.name, [entities.text])
  }

  for (const { isRequired, labels, property: { hasPattern, name } } of properties) {
    if (!hasPattern || !(isRequired || labels.ownWords.length > 0)) continue
    values.set(name, [...(values.get(name) ?? []), ...partsOf(entities)])
  }
  return values
}
