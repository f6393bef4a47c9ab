/** A field of Protocol Buffers: its number, and a number, bytes or a message. */
type Field = readonly [number: number, value: number | string | ReadonlyArray<Field>]

const varint = (value: number): ReadonlyArray<number> =>
  value < 128 ? [value] : [value % 128 + 128, ...varint(Math.floor(value / 128))]

/** Bytes of a message. */
const encode = (fields: ReadonlyArray<Field>): ReadonlyArray<number> =>
  fields.flatMap(([number, value]) => {
    if (typeof value === "number") return [...varint(number * 8), ...varint(value)]
    const bytes = typeof value === "string" ? [...Buffer.from(value)] : encode(value)
    return [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes]
  })

const float = 1
const integers = 7

/** A tensor of floats as an input or an output; a dimension by name is any length. */
const tensor = (name: string, dimensions: ReadonlyArray<number | string>): ReadonlyArray<Field> => [
  [1, name],
  [2, [[1, [
    [1, float],
    [2, dimensions.map((each): Field => [1, [typeof each === "number" ? [1, each] : [2, each]]])]
  ]]]]
]

/**
 * A model with Smart Turn's shape, as ONNX: its probability is the logistic function of the mean feature. `input` names the input
 * otherwise; with `probability` false the mean itself is given.
 */
export const smartTurnModel = (
  { input = "input_features", probability = true }: { readonly input?: string; readonly probability?: boolean } = {}
): Buffer => {
  const mean = probability ? "mean" : "logits"
  const average: ReadonlyArray<Field> = [
    [1, input],
    [2, mean],
    [4, "ReduceMean"],
    [5, [[1, "axes"], [8, 1], [8, 2], [20, integers]]],
    [5, [[1, "keepdims"], [3, 0], [20, 2]]]
  ]
  const logistic: ReadonlyArray<Field> = [[1, mean], [2, "logits"], [4, "Sigmoid"]]
  return Buffer.from(encode([
    [1, 8],
    [8, [[2, 17]]],
    [7, [
      [1, average],
      ...(probability ? [[1, logistic] as const] : []),
      [2, "turns"],
      [11, tensor(input, ["batch", 80, 800])],
      [12, tensor("logits", ["batch"])]
    ]],
    // Room, since no model is this small.
    [6, " ".repeat(1_000)]
  ]))
}
