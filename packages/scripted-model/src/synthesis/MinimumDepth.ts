import { fieldOf, isJsonObject, listOf, numberOf, objectOf, stringOf, stringsOf } from "@trunkline/kernel"

/** Upper bounds of levels and schemas that are visited. */
export const maxMinimumDepth = 6
const maxSchemas = 300

/**
 * Computes the minimum nesting depth of values of a schema, up to 6, which can mean infinite. Required parts lie a
 * level below; of branches the lowest counts.
 */
export const minimumDepth = (schema: unknown, resolve: (reference: string) => unknown): number => {
  let remaining = maxSchemas

  const maxDepth = (schemas: ReadonlyArray<unknown>, room: number) =>
    schemas.reduce<number>((most, one) => Math.max(most, minDepth(one, room)), 0)

  const lowest = (schemas: ReadonlyArray<unknown>, room: number) =>
    schemas.length === 0 ? 0 : schemas.reduce<number>((best, one) => Math.min(best, minDepth(one, room)), room)

  const minDepth = (one: unknown, room: number): number => {
    remaining--
    if (!isJsonObject(one)) return 0
    if (room <= 0 || remaining < 0) return Math.max(0, room)
    const properties = objectOf(fieldOf(one, "properties"))
    const requiredSchemas = stringsOf(fieldOf(one, "required")).map((name) => fieldOf(properties, name))
    const hasItems = (numberOf(fieldOf(one, "minItems")) ?? 0) > 0
    const items = hasItems ? [...listOf(fieldOf(one, "prefixItems")), fieldOf(one, "items")] : []
    const reference = stringOf(fieldOf(one, "$ref"))
    return Math.max(
      requiredSchemas.length + items.length === 0 ? 0 : 1 + maxDepth([...requiredSchemas, ...items], room - 1),
      reference === undefined ? 0 : minDepth(resolve(reference), room),
      maxDepth(listOf(fieldOf(one, "allOf")), room),
      lowest(listOf(fieldOf(one, "anyOf")), room),
      lowest(listOf(fieldOf(one, "oneOf")), room)
    )
  }

  return minDepth(schema, maxMinimumDepth)
}
