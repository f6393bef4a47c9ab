import { setTimeout as pause } from "node:timers/promises"
import { assert } from "vitest"
import { startReceiver } from "../../src/demo/Receiver.js"
import { allAttempts, type AttemptItem, createCampaign, statusOf, timeOf, uploadPeople } from "../Requests.js"
import { type Launch, startServer, writeBootstrap } from "../ServerProcess.js"

const people = 30

/**
 * Kills a server in the middle of a campaign and starts it again on the same data: no contact is lost, and no attempt is
 * dialled twice. Many kills, at moments that a seed decides, are what the torture is for.
 */
export const surviveKill = async (folder: string, storage: ReadonlyArray<string>, launch: Launch): Promise<void> => {
  const receiver = await startReceiver()
  const args = ["--no-demo", ...storage, "--bootstrap", writeBootstrap(folder)]
  let server = await startServer(args, launch)
  const campaign = await createCampaign(server, { webhook_config: { url: receiver.url } })
  await uploadPeople(server, campaign, people)

  while ((await allAttempts(server, campaign)).length < people / 2) await pause(50)
  const before = await timeOf(server)
  await server.stop("SIGKILL")
  server = await startServer(args, launch)
  const known = await allAttempts(server, campaign)
  const now = await timeOf(server)
  assert.isTrue(now >= before, `business time went backwards from ${before} to ${now}`)
  assert.deepStrictEqual(known.filter(({ attempted_at }) => attempted_at > now), [], `attempts after ${now}`)
  while (await statusOf(server, campaign) !== "ended") await pause(100)

  const attempts = await allAttempts(server, campaign)
  const ids = attempts.map((attempt) => attempt.attempt_id)
  assert.strictEqual(new Set(ids).size, ids.length)
  const byPerson = new Map<string, Array<AttemptItem>>()
  for (const attempt of attempts) {
    byPerson.set(attempt.user_identifier, [...byPerson.get(attempt.user_identifier) ?? [], attempt])
  }
  assert.strictEqual(byPerson.size, people)
  for (const [person, theirs] of byPerson) {
    const inOrder = theirs.sort((a, b) => a.retry_attempt - b.retry_attempt)
    assert.deepStrictEqual(inOrder.map((attempt) => attempt.retry_attempt), inOrder.map((_, index) => index), person)
    assert.isNull(inOrder.at(-1)?.next_action_status, person)
    assert.isTrue(inOrder.slice(0, -1).every((attempt) => attempt.next_action_status !== null), person)
  }
  assert.isNotEmpty(attempts.filter((attempt) => attempt.next_action_status === "internal_error_retry"))

  for (let waited = 0; receiver.attempts.size < attempts.length && waited < 70_000; waited += 100) await pause(100)
  assert.deepStrictEqual([...receiver.attempts.keys()].sort(), ids.sort())
  assert.strictEqual(await server.stop("SIGTERM"), 0)
  receiver.close()
}
