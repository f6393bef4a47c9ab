import { assert, describe, it } from "@effect/vitest"
import { Cohorts, type CsvSeparator, uploadForm } from "@trunkline/cohorts"
import { Effect, Stream } from "effect"
import {
  bytesOf,
  campaign,
  deployment,
  download,
  finished,
  issues,
  live,
  scope,
  send,
  upload,
  usersOf,
  values
} from "./CohortsHarness.js"

type Encoding = "utf-8" | "utf-8 with a mark" | "utf-16le" | "utf-16be"

const encoded = (text: string, encoding: Encoding): Uint8Array => {
  if (encoding === "utf-8") return bytesOf(text)
  const marked = `\ufeff${text}`
  if (encoding === "utf-8 with a mark") return bytesOf(marked)
  const view = new DataView(new ArrayBuffer(marked.length * 2))
  for (let at = 0; at < marked.length; at++) view.setUint16(at * 2, marked.charCodeAt(at), encoding === "utf-16le")
  return new Uint8Array(view.buffer)
}

/** The bytes of a cohort's file of rejected rows. */
const rejectedOf = ({ cohort_id: id }: Effect.Effect.Success<ReturnType<typeof upload>>, owner = campaign) =>
  Effect.gen(function*() {
    const file = yield* (yield* Cohorts).file(scope, owner, { id, type: "rejected_records" })
    const parts = yield* Stream.runCollect(file.bytes)
    return Uint8Array.from(Array.from(parts).flatMap((part) => Array.from(part)))
  })

const textOf = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)

const separators: ReadonlyArray<readonly [name: CsvSeparator, character: string]> = [
  ["comma", ","],
  ["semicolon", ";"],
  ["tab", "\t"]
]

describe("a file of real life", () => {
  for (const [name, character] of separators) {
    for (const encoding of ["utf-8", "utf-8 with a mark", "utf-16le", "utf-16be"] as const) {
      it.effect(`is read with the ${name}, in ${encoding}, which its record names`, () =>
        Effect.gen(function*() {
          const lines = [
            "name|\"mobile\"|\"note, or; such\"",
            "आशा|98765 43210|1,5; and",
            "Ravi|123|",
            "Chitra|9876543211||more"
          ]
          const file = lines.slice(0, 2).concat("Bilal|9876543212|\"a|b\"", lines.slice(2)).join("\r\n")
          const cells = file.replaceAll("1,5; and", "\"1,5; and\"").replaceAll("|", character)
          const cohort = yield* upload(encoded(cells, encoding))
          assert.deepStrictEqual([cohort.separator, cohort.result], [
            name,
            { total_records: 4, valid_records: 2, rejected_records: 2 }
          ])
          const walked = yield* usersOf(campaign)
          assert.deepStrictEqual(walked.map(({ user }) => user.agent_variables.customer_name), ["आशा", "Bilal"])
          const rejected = textOf(yield* rejectedOf(cohort))
          const rows = [
            "name|mobile|\"note, or; such\"|rejected_reason",
            "Ravi|123||invalid_phone_number",
            "Chitra|9876543211||more||column_count_mismatch",
            ""
          ]
          assert.strictEqual(rejected.replace("\ufeff", ""), rows.join("\n").replaceAll("|", character))
          assert.strictEqual(rejected.startsWith("\ufeff"), encoding !== "utf-8")
        }).pipe(Effect.provide(live())))
    }

    it.effect(`can name the ${name} in its first line`, () =>
      Effect.gen(function*() {
        const cohort = yield* upload(`sep=${character}\r\nname${character}mobile\r\nAsha${character}9876543210\r\n`)
        assert.deepStrictEqual([cohort.separator, cohort.result?.valid_records], [name, 1])
      }).pipe(Effect.provide(live())))

    it.effect(`comes back in parts that are rejected again, with the ${name}`, () =>
      Effect.gen(function*() {
        const file = [
          "name|mobile|city||",
          "Asha|9876543210|Pune",
          "Ravi|123|Pune||",
          "Ravi|9876543211",
          "Ravi|9876543212|Pune|||x",
          "Ravi|9876543213|Pune||x",
          "Twice|9876543210||"
        ].join("\n").replaceAll("|", character)
        const first = yield* upload(file)
        assert.deepStrictEqual(first.result, { total_records: 6, valid_records: 1, rejected_records: 5 })
        const rejected = yield* rejectedOf(first)
        const again = yield* upload(rejected, deployment)
        assert.deepStrictEqual([again.separator, again.result], [
          name,
          { total_records: 5, valid_records: 1, rejected_records: 4 }
        ])
        const twice = yield* rejectedOf(again, deployment)
        const lines = textOf(rejected).split("\n").filter((line) => !line.startsWith("Twice"))
        assert.deepStrictEqual(textOf(twice).split("\n"), lines)
        const thrice = yield* upload(twice, deployment)
        assert.deepStrictEqual(thrice.result, { total_records: 4, valid_records: 0, rejected_records: 4 })
        assert.deepStrictEqual(textOf(yield* rejectedOf(thrice, deployment)), textOf(twice))
      }).pipe(Effect.provide(live())))
  }

  it.effect("has its separator told once it has been fetched from a URL", () => {
    const url = "https://files.example/june.csv"
    return Effect.gen(function*() {
      const cohorts = yield* Cohorts
      const accepted = yield* cohorts.fetch(scope, campaign, {
        createdBy: "tests",
        body: {
          name: "June",
          source: { type: "pre_signed_url", url },
          cohort_transformation: { phone_number: { column_name: "mobile" } },
          cohort_category: "stop_file"
        }
      })
      assert.isNull(accepted.separator)
      const cohort = yield* finished(accepted)
      assert.deepStrictEqual([cohort.separator, cohort.result?.valid_records], ["tab", 1])
    }).pipe(Effect.provide(live({ downloads: { [url]: encoded("mobile\tname\n98765 43210\tAsha\n", "utf-16le") } })))
  })

  it.effect("may have columns without a name, but no values in them", () =>
    Effect.gen(function*() {
      const cohort = yield* upload(",name, ,mobile,,\n,Asha,,9876543210, ,\n,Ravi,,9876543211\nx,Bilal,,9876543212,,\n")
      assert.deepStrictEqual(cohort.result, { total_records: 3, valid_records: 2, rejected_records: 1 })
      assert.strictEqual(
        (yield* download(campaign, cohort.cohort_id, "rejected_records")).text,
        "\"\",\"name\",\" \",\"mobile\",\"\",\"\",\"rejected_reason\"\nx,Bilal,,9876543212,,,,,column_count_mismatch\n"
      )
      assert.deepStrictEqual(yield* issues(upload("name,mobile,\nAsha,9876543210,x\n")), [
        "body.cohort_file value_error"
      ])
    }).pipe(Effect.provide(live())))

  it.effect("is rejected with its separator when it lacks a column, or names another one", () =>
    Effect.gen(function*() {
      const messageOf = (csv: string) =>
        Effect.map(
          Effect.flip(send(uploadForm(values(csv)))),
          (error) => error._tag === "Invalid" ? error.issues.map(({ msg }) => msg) : []
        )
      assert.deepStrictEqual(yield* messageOf("name;phone;a\nAsha;1;\n"), [
        "The file has no column \"mobile\": its columns are name, phone, a, read with semicolons between cells"
      ])
      assert.include((yield* messageOf("sep=|\nname|mobile\nAsha|1\n"))[0], "comma, semicolon or tab")
    }).pipe(Effect.provide(live())))

  it.effect("has the days of its campaign's time zone", () => {
    const mapping = bytesOf(JSON.stringify({
      phone_number: { column_name: "mobile" },
      app_variables: { due: { column_name: "due", transforms: [{ type: "date" }] } }
    }))
    const csv = "mobile,due\n9876543210,2026-12-05T20:00:00Z\n9876543211,2026-12-05\n9876543212,2026-12-05T20:00:00\n"
    const dueIn = (timezone?: string) => {
      const admit = () => Effect.succeed({ declaredVariables: null, requiresRows: true, ...(timezone && { timezone }) })
      return Effect.gen(function*() {
        const cohort = yield* finished(yield* send(uploadForm(values(csv, { transformation: mapping }))))
        const walked = yield* usersOf(campaign)
        return [cohort.timezone, ...walked.map(({ user }) => user.agent_variables.due)]
      }).pipe(Effect.provide(live({ owners: { admit } })))
    }
    return Effect.gen(function*() {
      assert.deepStrictEqual(yield* dueIn(), ["Asia/Kolkata", "2026-12-06", "2026-12-05", "2026-12-05"])
      assert.deepStrictEqual(yield* dueIn("America/New_York"), [
        "America/New_York",
        "2026-12-05",
        "2026-12-05",
        "2026-12-05"
      ])
    })
  })
})
