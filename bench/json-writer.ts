import { jsonWriter, Timestamp } from "@trunkline/kernel"
import { DateTime, Schema } from "effect"
import { report } from "./report.js"

const documents = 2_000
const rounds = 15

const Contact = Schema.Struct({
  id: Schema.NonEmptyString.pipe(Schema.brand("ContactId")),
  state: Schema.Literal("waiting", "calling", "done"),
  phone_number: Schema.String,
  attempts: Schema.Int,
  due_at: Schema.NullOr(Timestamp),
  note: Schema.optional(Schema.String),
  variables: Schema.Record({ key: Schema.String, value: Schema.String })
})

const Page = Schema.Struct({ items: Schema.Array(Contact), total: Schema.Int, has_more: Schema.Boolean })

const page: typeof Page.Type = {
  items: Array.from({ length: 10 }, (_, index) =>
    Contact.make({
      id: Schema.NonEmptyString.pipe(Schema.brand("ContactId")).make(`contact-${index}`),
      state: index % 2 === 0 ? "waiting" : "done",
      phone_number: `+9198000000${index}0`,
      attempts: index,
      due_at: index % 3 === 0 ? null : DateTime.unsafeMake(1_700_000_000_000 + index),
      note: index % 4 === 0 ? "asked to \"call back\"" : undefined,
      variables: { name: "Asha", city: "Pune", plan: "gold" }
    })),
  total: 4_321,
  has_more: true
}

/** CPU µs a document of each way to write a page of ten contacts, taking turns. */
export const run = async (): Promise<void> => {
  const encode = Schema.encodeSync(Page)
  const encoded = encode(page)
  const write = jsonWriter(Page)
  const ways = {
    "jsonWriter": () => write(page),
    "Schema.encodeSync and JSON.stringify": () => JSON.stringify(encode(page)),
    "JSON.stringify of what is encoded already": () => JSON.stringify(encoded)
  }
  const micros = new Map<string, Array<number>>()
  for (let round = 0; round < rounds; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const before = process.cpuUsage()
      let bytes = 0
      for (let index = 0; index < documents; index++) bytes += Buffer.byteLength(way())
      const { system, user } = process.cpuUsage(before)
      if (bytes === 0) throw new Error("Nothing was written")
      if (round >= 3) micros.set(name, [...micros.get(name) ?? [], (system + user) / documents])
    }
  }
  const medians = [...micros].map(([name, spent]): readonly [string, number] => {
    const sorted = spent.toSorted((a, b) => a - b)
    return [name, sorted[Math.floor(sorted.length / 2)] ?? Number.NaN]
  })
  for (const [name, spent] of medians) console.log(`  ${name}: ${spent.toFixed(1)} µs a document`)
  const [ours = 0, schema = 0, bare = 0] = medians.map(([, spent]) => spent)
  report({
    path: "JSON of ten contacts, CPU µs a document",
    ours: ours.toFixed(1),
    peer: `Schema and JSON.stringify ${schema.toFixed(1)}; JSON.stringify alone ${bare.toFixed(1)}`,
    ratio: `${(ours / schema).toFixed(2)} times Schema, ${(ours / bare).toFixed(1)} times JSON.stringify`,
    goal: ""
  })
}
