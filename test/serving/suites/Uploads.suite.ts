import { assert, beforeAll, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { request } from "node:http"
import { Readable } from "node:stream"
import { isFullSize } from "../../setup/Scale.js"
import { csv, deploymentBody, form, transformation } from "../Bodies.js"
import { sendRequest, settled, workspace } from "../Client.js"
import { probing } from "../Probe.js"
import { served, type Way } from "../Ways.js"

const boundary = "-----cut-here"
const type = `multipart/form-data; boundary=${boundary}`

const part = (name: string, content: string, extra = "") =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${extra}\r\n\r\n${content}\r\n`

const small = part("name", "June") + part("cohort_transformation_file", transformation, `; filename="t.json"`)
const file = part("cohort_file", csv, `; filename="c.csv"`)
const end = `--${boundary}--\r\n`

/** Multipart forms. Raw HTTP, since its subject is the wire: boundaries, malformed parts and bounds of bodies. */
export const uploadsSuite = (way: Way) =>
  describe(`uploading a cohort over ${way.name}`, () => {
    const probe = probing()
    const server = served(way)
    const probed = served(way, "probed")
    let cohorts: string

    beforeAll(async () => {
      const { json } = await sendRequest(server, `${workspace}/deployments`, { method: "POST", body: deploymentBody() })
      cohorts = `${workspace}/deployments/${json.deployment_id}/cohorts`
    })

    const upload = (body: unknown, contentType?: string) =>
      sendRequest(server, `${cohorts}/upload`, {
        method: "POST",
        body,
        ...(contentType !== undefined && { headers: { "content-type": contentType } })
      })

    const total = async () => (await sendRequest(server, cohorts)).json.total

    const refused = async (body: string, message: RegExp) => {
      const before = await total()
      const { json, status, text } = await upload(body, type)
      assert.strictEqual(status, 422, text)
      assert.match(json.detail[0].msg, message)
      assert.strictEqual(await total(), before)
    }

    const orders = [
      ["name", "cohort_transformation_file", "cohort_file"],
      ["cohort_file", "name", "cohort_transformation_file"],
      ["cohort_transformation_file", "cohort_file", "name"],
      ["name", "cohort_transformation_file", "cohort_file", "cohort_file", "name"]
    ]

    it.each(orders.map((names) => ({ names })))("accepts parts in any order: $names", async ({ names }) => {
      const { json, text } = await upload(form(...names))
      assert.strictEqual(json.status, "processing", text)
      assert.deepStrictEqual(await settled(server, `${cohorts}/${json.cohort_id}`), {
        ...json,
        status: "completed",
        result: { total_records: 2, valid_records: 1, rejected_records: 1 },
        progress: null,
        updated_at: (await settled(server, `${cohorts}/${json.cohort_id}`)).updated_at
      })
      const kept = await sendRequest(server, `${cohorts}/${json.cohort_id}/files?file_type=cohort`)
      assert.strictEqual(kept.text, csv)
    })

    it("accepts a preamble, an epilogue, a quoted boundary and a name after the file name", async () => {
      const odd =
        `--${boundary}\r\ncontent-type: text/csv\r\nCONTENT-DISPOSITION:form-data; filename="a; name=evil"; name=cohort_file\r\n\r\n${csv}\r\n`
      const answer = await upload(
        `before${"\r\n"}${small}${odd}${end}after`,
        `Multipart/Form-Data; charset=utf-8; boundary="${boundary}"`
      )
      assert.strictEqual(answer.status, 200, answer.text)
    })

    it("uses the first of parts with the same name", async () => {
      const others = part("name", "July") + part("cohort_transformation_file", "{") + part("cohort_file", "nothing")
      for (const body of [small + file + others + end, file + small + others + end]) {
        const { json, text } = await upload(body, type)
        assert.strictEqual(json.name, "June", text)
        assert.strictEqual((await settled(server, `${cohorts}/${json.cohort_id}`)).result.valid_records, 1)
      }
    })

    it("rejects truncated forms", async () => {
      const whole = small + file + end
      for (let length = 0; length < whole.length - 4; length += 7) {
        await refused(whole.slice(0, length), /ends before/)
      }
    })

    it("rejects malformed forms", async () => {
      await refused(`--${boundary}\r\nContent-Type: text/plain\r\n\r\nx\r\n${end}`, /no name/)
      await refused(`--${boundary}\r\n${"x".repeat(20_000)}\r\n\r\n`, /headers/)
      await refused(`--${boundary}oops\r\n`, /line break/)
      await refused(part("surplus", "x").repeat(101) + end, /more than 100 parts/)
      await refused("just text", /ends before/)
      const { json, status } = await upload(small, "multipart/form-data")
      assert.strictEqual(status, 422)
      assert.deepStrictEqual(json.detail[0].loc, ["header", "content-type"])
    })

    it("lists the issues of the name and the transformation together, and missing columns", async () => {
      const bad = await upload(part("name", "a/b") + part("cohort_transformation_file", "{}") + file + end, type)
      assert.strictEqual(bad.status, 422)
      assert.strictEqual(bad.json.detail.length, 2)
      assert.match(bad.json.error.message, /body\.name.*body\.cohort_transformation_file/)
      const empty = await upload(small + part("cohort_file", "") + end, type)
      assert.strictEqual(empty.status, 422)
      assert.deepStrictEqual(empty.json.detail[0].loc, ["body", "cohort_file"])
    })

    it("rejects fields that are too large", async () => {
      const { status } = await upload(part("name", "x".repeat(1_100_000)) + end, type)
      assert.strictEqual(status, 413)
    })

    it("accepts a form that waits for 100 Continue", async () => {
      const body = Buffer.from(small + file + end)
      const sending = request(`${server.url}${cohorts}/upload`, {
        method: "POST",
        headers: {
          "api-subscription-key": testKeys.main,
          "content-type": type,
          "content-length": body.length,
          expect: "100-continue"
        }
      })
      sending.flushHeaders()
      await once(sending, "continue")
      sending.end(body)
      const [response] = await once(sending, "response")
      assert.strictEqual(response.statusCode, 200)
      response.resume()
    })

    it("rejects a form over the limit by its declared length", async () => {
      const sending = request(`${server.url}${cohorts}/upload`, {
        method: "POST",
        headers: { "api-subscription-key": testKeys.main, "content-type": type, "content-length": 200_000_000 }
      })
      sending.on("error", () => undefined)
      sending.flushHeaders()
      const [response] = await once(sending, "response")
      assert.strictEqual(response.statusCode, 413)
      sending.destroy()
    })

    const places = isFullSize ? [[small, ""], ["", small]] as const : [[small, ""]] as const

    it("rejects a file over the limit while it arrives, as the last part or, at full size, the first", async () => {
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="cohort_file"\r\n\r\nmobile,name\n`
      const piece = "9876543210,Asha\n".repeat(65_536)
      const pieces = function*(before: string, after: string) {
        yield before + head
        for (let count = 0; count < 101; count++) yield piece
        yield `\r\n${after}${end}`
      }
      for (const [before, after] of places) {
        const body = Readable.toWeb(Readable.from(pieces(before, after)).map((text: string) => Buffer.from(text)))
        const count = await total()
        const answer = await upload(body, type)
        assert.strictEqual(answer.status, 413, answer.text)
        assert.strictEqual(await total(), count)
      }
    })

    it("applies backpressure to an upload", async () => {
      const sending = request(`${probed.url}${workspace}/campaigns/camp-1/cohorts/upload`, {
        method: "POST",
        headers: { "api-subscription-key": testKeys.main, "content-type": type }
      })
      const answered = once(sending, "response")
      const piece = Buffer.alloc(1_000_000, "9876543210,Asha\n")
      let sentCount = 0
      const send = async () => {
        sending.write(`${small}--${boundary}\r\nContent-Disposition: form-data; name="cohort_file"\r\n\r\n`)
        for (; sentCount < 100; sentCount++) await new Promise((written) => sending.write(piece, written))
        sending.end(`\r\n${end}`)
      }
      const allSent = send()
      await probe.reported("file begun")
      for (let alike = 0, before = sentCount; alike < 20; before = sentCount) {
        await sendRequest(probed, "/health")
        alike = before === sentCount ? alike + 1 : 0
      }
      assert.isBelow(sentCount, 50)
      probe.open("file")
      await probe.reported("cohort_file: 100000000 bytes")
      await allSent
      const [response] = await answered
      assert.strictEqual(response.statusCode, 404)
      response.resume()
    })

    it("discards an aborted upload, and keeps serving", async () => {
      const before = await total()
      const sending = request(`${server.url}${cohorts}/upload`, {
        method: "POST",
        headers: { "api-subscription-key": testKeys.main, "content-type": type }
      })
      sending.on("error", () => undefined)
      sending.write(small + file.slice(0, -10))
      await sendRequest(server, "/health")
      sending.destroy()
      assert.strictEqual((await sendRequest(server, "/health")).status, 200)
      assert.strictEqual(await total(), before)
    })
  })
