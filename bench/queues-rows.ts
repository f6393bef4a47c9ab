import type pg from "pg"

const jsonOf = (length: number): string =>
  JSON.stringify({ user_phone_number: "+919876543210", text: "x".repeat(length) })

/** Texts of about the lengths that the engine stores. */
const texts = { attempt: jsonOf(700), result: jsonOf(150), call: jsonOf(700), fact: jsonOf(900) }
const webhook = Buffer.from(texts.fact)

/** The statements of an attempt: rows of the same tables as the engine's, with values where it has some. */
const statements = {
  insertAttempt:
    "insert into attempts (attempt_id, state, connection_id, attempted_at, body) values ($1, 'claimed', 'sim-1', 1, $2)",
  callContact: `update contacts set state = 'calling', attempts = attempts + 1, attempt_id = $1
    where campaign_id = 'camp-peer' and seat = $2 and state = 'waiting'`,
  accept: "update attempts set state = 'accepted', provider_call_id = $1 where attempt_id = $2 and state = 'claimed'",
  end: "update attempts set state = 'ended', result = $1 where attempt_id = $2 and state <> 'ended'",
  insertCall: `insert into calls (attempt_id, org_id, workspace_id, app_id, attempted_at, campaign_id, user_identifier,
    user_contact_masked, user_contact_hashed, channel_direction, channel_type, channel_provider, channel_protocol,
    completion_status, connectivity_status, app_version, retry_attempt, variables, body)
    values ($1, 'org', 'main', 'support', 1, 'camp-peer', $2, '******3210', $3, 'outbound', 'v2v', 'simulator',
    'simulated', 'failed', 'busy', 1, 0, '{}', $4)`,
  insertFact: `insert into facts (attempt_id, org_id, workspace_id, user_identifier, body)
    values ($1, 'org', 'main', $2, $3)`,
  insertWebhook:
    `insert into outbox (webhook_id, endpoint_id, org_id, workspace_id, campaign_id, attempt_id, url, state,
    tries, due_at, leased_until, created_at)
    values ($1, 1, 'org', 'main', 'camp-peer', $1, 'https://receiver.example/attempts', 'pending', 0, 1, 0, 1)
    returning seq`,
  insertBody: "insert into outbox_bodies (seq, body) values ($1, $2)",
  settleContact: `update contacts set state = 'finished', attempt_id = null, completion_status = 'failed',
    connectivity_status = 'busy' where campaign_id = 'camp-peer' and seat = $1`
}

const run = (client: pg.ClientBase | pg.Pool, name: keyof typeof statements, values: ReadonlyArray<unknown>) =>
  client.query({ name, text: statements[name], values: [...values] })

const inTransaction = async (pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query("begin")
    await work(client)
    await client.query("commit")
  } catch (error) {
    await client.query("rollback")
    throw error
  } finally {
    client.release()
  }
}

/**
 * The durable writes of one attempt by hand, as the handler of a job makes them: the intent to dial before the dial, its
 * acceptance, and its end with all that follows from it in one transaction.
 */
export const writeAttempt = async (pool: pg.Pool, index: number): Promise<void> => {
  const id = `attempt-${index}`
  await inTransaction(pool, async (client) => {
    await run(client, "insertAttempt", [id, texts.attempt])
    await run(client, "callContact", [id, index + 1])
  })
  await run(pool, "accept", [id, id])
  await inTransaction(pool, async (client) => {
    await run(client, "end", [texts.result, id])
    await run(client, "insertCall", [id, `user-${index}`, "5f".repeat(32), texts.call])
    await run(client, "insertFact", [id, `user-${index}`, texts.fact])
    const { rows: [row] } = await run(client, "insertWebhook", [id])
    await run(client, "insertBody", [row.seq, webhook])
    await run(client, "settleContact", [index + 1])
  })
}
