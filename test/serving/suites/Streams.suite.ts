import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { campaignBody, form, outboundBody } from "../Bodies.js"
import { type Json, sendRequest, settled, workspace } from "../Client.js"
import { livePath, watches, watchEvents, watchSocket } from "../Live.js"
import { probing } from "../Probe.js"
import { served, type Way } from "../Ways.js"

/** A cohort file of some megabytes. */
const megabytes = `mobile,name,note\n${
  Array.from({ length: 5_000 }, (_, row) => `98765${10_000 + row},Asha,${`${row} `.repeat(200)}\n`).join("")
}`

/** Status with which the API rejects a client. */
const refusal = (watching: Promise<unknown>) =>
  watching.then(() => "accepted", ({ requestId, status }) => {
    assert.match(String(requestId), /^\d{8}_/)
    return status
  })

/**
 * Responses that are too long to be sent at once, and responses without an end. Raw HTTP, since its subject is the wire: when bytes
 * are sent, and connections that break.
 */
export const streamsSuite = (way: Way) =>
  describe(`streams over ${way.name}`, () => {
    const probe = probing()
    const server = served(way)
    const probed = served(way, "probed")

    it("serve a large file byte for byte", async () => {
      const { campaign_id } =
        (await sendRequest(server, `${workspace}/campaigns`, { method: "POST", body: campaignBody })).json
      const cohorts = `${workspace}/campaigns/${campaign_id}/cohorts`
      const body = form("name", "cohort_transformation_file")
      body.append("cohort_file", new Blob([megabytes]), "people.csv")
      const { cohort_id } = (await sendRequest(server, `${cohorts}/upload`, { method: "POST", body })).json
      assert.strictEqual((await settled(server, `${cohorts}/${cohort_id}`)).result.valid_records, 5_000)
      const file = await sendRequest(server, `${cohorts}/${cohort_id}/files?file_type=cohort`)
      assert.isAbove(file.text.length, 4_000_000)
      assert.isTrue(file.text === megabytes)
    })

    it("release a download when the client disconnects", async () => {
      const path = `${workspace}/campaigns/camp-1/cohorts/coh-1/files?file_type=cohort`
      const giveUp = new AbortController()
      const response = await fetch(`${probed.url}${path}`, {
        headers: { "api-subscription-key": testKeys.main },
        signal: giveUp.signal
      })
      assert.strictEqual(response.status, 200)
      await response.body?.getReader().read()
      giveUp.abort()
      await probe.reported("file let go")
    })

    it("are cut visibly when their source fails", async () => {
      const path = `${workspace}/campaigns/camp-1/cohorts/coh-1/files?file_type=rejected_records`
      const got = await sendRequest(probed, path).then(({ text }) => text.length, () => "broken off")
      assert.strictEqual(got, "broken off")
      await probe.reported("file let go")
    })

    it("of events have headers against caching and buffering", async () => {
      const { leave, response } = await watchEvents(server)
      assert.match(response.headers["content-type"] ?? "", /^text\/event-stream/)
      assert.strictEqual(response.headers["cache-control"], "no-store, no-transform")
      assert.match(String(response.headers["x-request-id"]), /^\d{8}_/)
      leave()
    })

    describe.each(watches.filter(({ socket }) => way.webSockets || !socket))("of live events by $by", ({ watch }) => {
      it("report a call from the dial to the result", async () => {
        const { leave, next } = await watch(server)
        const { attempt_id } =
          (await sendRequest(server, `${workspace}/outbounds`, { method: "POST", body: outboundBody })).json
        const told: Array<Json> = []
        do {
          told.push(await next())
        } while (told.at(-1).type !== "attempt.ended")
        leave()
        const types = told.map(({ type }) => type)
        assert.deepStrictEqual(types.slice(0, 3), ["attempt.started", "attempt.answered", "turn"])
        assert.deepStrictEqual(new Set(told.map((event) => event.attempt_id)), new Set([attempt_id]))
        assert.strictEqual(told[0].user_contact_masked, "******3210")
      })

      it("are sent event by event, and end with the events", async () => {
        const { next } = await watch(probed)
        assert.strictEqual((await next()).text, "first")
        assert.deepStrictEqual(probe.reports, [])
        probe.open("second")
        assert.strictEqual((await next()).text, "second")
        probe.open("end")
        assert.isUndefined(await next())
        await probe.reported("watch over")
      })

      it("end when their client disconnects", async () => {
        const { leave, next } = await watch(probed)
        await next()
        leave()
        await probe.reported("watch over")
      })

      it("apply backpressure for a client that does not read", async () => {
        const { leave, next } = await watch(probed, { key: testKeys.side, path: livePath("side") })
        await next()
        const sent = async () => (await sendRequest(probed, "/health")).json.calls
        let before = 0
        for (let alike = 0, now = await sent(); alike < 20; now = await sent()) {
          alike = now === before ? alike + 1 : 0
          before = now
        }
        assert.isBelow(before, 4_000)
        leave()
        await probe.reported("watch over")
      })

      it("are rejected without a key, for another workspace, and on unknown paths", async () => {
        assert.strictEqual(await refusal(watch(server, { key: null })), 403)
        assert.strictEqual(await refusal(watch(server, { key: testKeys.side })), 403)
        assert.strictEqual(await refusal(watch(server, { path: `${workspace}/deployments/dep-0` })), 404)
        const nowhere = await watch(server, { path: `${workspace}/calls/dead` }).catch((refused) => refused)
        assert.strictEqual(nowhere.status, 404)
      })
    })

    describe.runIf(way.webSockets)("over a WebSocket", () => {
      it("send a close frame when the events end", async () => {
        const { closeFrame, next } = await watchSocket(probed)
        probe.open("second")
        probe.open("end")
        while (await next() !== undefined);
        assert.strictEqual((await closeFrame).code, 1001)
        await probe.reported("watch over")
      })

      it("answer the close frame of a client", async () => {
        const { closeFrame, next, socket } = await watchSocket(probed)
        await next()
        socket.close(1000)
        socket.resume()
        assert.strictEqual((await closeFrame).code, 1000)
        await probe.reported("watch over")
      })

      it("ignore the messages of clients", async () => {
        const { leave, next, socket } = await watchSocket(probed)
        await next()
        socket.send("hello")
        socket.send(new Uint8Array(1_000))
        const answered = once(socket, "pong")
        socket.ping("are you there?")
        socket.resume()
        assert.strictEqual(String((await answered)[0]), "are you there?")
        probe.open("second")
        assert.strictEqual((await next()).text, "second")
        leave()
        await probe.reported("watch over")
      })

      it("close on a message that is too long", async () => {
        const { closeFrame, next, socket } = await watchSocket(probed)
        await next()
        socket.send("x".repeat(100_000))
        socket.resume()
        assert.include([1006, 1009], (await closeFrame).code)
        await probe.reported("watch over")
      })

      it("are only for the live feed: other routes ignore upgrade requests", async () => {
        assert.strictEqual(await refusal(watchSocket(server, { path: "/health" })), 200)
        assert.strictEqual(await refusal(watchSocket(server, { path: `${workspace}/outbounds` })), 405)
      })
    })
  })
