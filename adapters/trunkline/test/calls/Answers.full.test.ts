import { assert, describe, it } from "@effect/vitest"
import type { CallEnded } from "trunkline"
import { call, collect, later, line, withTrunkline } from "../Fixtures.js"

const handling = { machine: { action: "leave_message", message: "Please call {{name}} back." } } as const
/** A machine that never hangs up, so that the pace of the test does not matter. */
const greeting = "The person you are calling is not available. Please leave a message after the tone."
const machines = { speed: 1000, default: [greeting] }

const numbers = ["+919876500001", "+919876500002", "+919876500003"]

/** A campaign over machines that calls everybody twice, and its ended calls. */
const campaignOver = async (machine: object): Promise<ReadonlyArray<CallEnded>> => {
  const ended: Array<CallEnded> = []
  const all = later<void>()
  return withTrunkline({
    simulator: machines,
    onCallEnded: (one) => {
      ended.push(one)
      if (ended.length === 2 * numbers.length) all.resolve()
    }
  }, async (trunkline) => {
    const { campaign_id } = await trunkline.campaigns.create({
      name: "Machines",
      app_config: {
        app_id: "reminder",
        app_version: 1,
        attempts_per_second: 10,
        connection_configs: [{ connection_id: line.connection_id, phone_numbers: line.phone_numbers }],
        answer_handling: { machine },
        retry_config: { max_retries: 1, retry_interval_minutes: 1, retry_on: { machine: { enabled: true } } }
      },
      start_timestamp: "2020-01-01T00:00:00Z",
      end_timestamp: "2090-01-01T00:00:00Z",
      allowed_schedule: {
        allowed_start_time: "00:00",
        allowed_end_time: "24:00",
        allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
      }
    })
    const rows = numbers.map((number, index) => `${index},${number},Asha`)
    await trunkline.cohorts.uploadToCampaign(campaign_id, {
      name: "People",
      cohort_file: ["id,phone,name", ...rows].join("\n"),
      cohort_transformation_file: JSON.stringify({
        user_identifier: { column_name: "id" },
        phone_number: { column_name: "phone" },
        app_variables: { name: { column_name: "name" } }
      })
    })
    await all.promise
    assert.lengthOf(await collect(trunkline.blockedNumbers.list()), 0)
    return ended
  })
}

const actionsOf = (ended: ReadonlyArray<CallEnded>, retry: number) =>
  ended.filter(({ retry_attempt }) => retry_attempt === retry).map(({ answer }) => answer?.action)

describe("a call to a machine", () => {
  it("leaves its message, with its variables", () =>
    withTrunkline({ simulator: machines }, async (trunkline) => {
      const { ended } = await trunkline.calls.create({ ...call, answer_handling: handling })
      const { answer, completion_status, failure_reason, transcript } = await ended
      assert.deepInclude(answer, { answered_by: "machine", evidence: "words", action: "message_left" })
      assert.deepStrictEqual([completion_status, failure_reason], ["partial", "voicemail"])
      assert.strictEqual(transcript?.at(-1)?.en_text, "Please call Asha back.")
    }))

  it("is refused with the path of what is wrong in its handling", () =>
    withTrunkline({ simulator: machines }, async (trunkline) => {
      const create = (answer_handling: object) =>
        trunkline.calls.create({ ...call, answer_handling }).then(() => "", (error: unknown) => String(error))
      assert.include(await create({ machine: { action: "leave_message" } }), "answer_handling.machine.message")
      assert.include(await create({ machines: {} }), "answer_handling.machines")
    }))

  it("has no verdict without a handling", () =>
    withTrunkline({ simulator: machines }, async (trunkline) => {
      const { ended } = await trunkline.calls.create(call)
      assert.isNull((await ended).answer)
    }))
})

describe("a campaign over machines", () => {
  it("leaves one message for each contact, and hangs up on the next machine", async () => {
    const ended = await campaignOver(handling.machine)
    assert.deepStrictEqual(actionsOf(ended, 0), ["message_left", "message_left", "message_left"])
    assert.deepStrictEqual(actionsOf(ended, 1), ["hung_up", "hung_up", "hung_up"])
  })

  it("leaves one with each call where it is told so", async () => {
    const ended = await campaignOver({ ...handling.machine, once: false })
    assert.deepStrictEqual(actionsOf(ended, 1), ["message_left", "message_left", "message_left"])
  })
})
