import { Queue, Worker } from "bullmq"
import { Logger, makeWorkerUtils, run } from "graphile-worker"
import { Redis } from "ioredis"
import pg from "pg"
import PgBoss from "pg-boss"

/** A job queue: adds jobs, and works on them in this process until it ends. */
interface JobQueue {
  readonly add: (url: string, jobs: number) => Promise<void>
  /** Calls `work` with the number of each job of this process. */
  readonly work: (url: string, work: (job: number) => Promise<void>) => Promise<void>
}

/** Jobs that a process works on at a time. */
const concurrency = 20

/** Jobs that are added, or fetched, at a time where a library allows it. */
const batch = 200

const chunks = (jobs: number): ReadonlyArray<ReadonlyArray<number>> =>
  Array.from(
    { length: Math.ceil(jobs / batch) },
    (_, chunk) => Array.from({ length: Math.min(batch, jobs - chunk * batch) }, (_, index) => chunk * batch + index)
  )

const graphileWorker: JobQueue = {
  add: async (connectionString, jobs) => {
    const utils = await makeWorkerUtils({ connectionString })
    await utils.migrate()
    await utils.withPgClient((client) =>
      client.query(
        `select count(graphile_worker.add_job('attempt', json_build_object('job', job)))
         from generate_series(0, $1::integer - 1) as job`,
        [jobs]
      )
    )
    await utils.release()
  },
  work: async (connectionString, work) => {
    await run({
      pgPool: new pg.Pool({ connectionString, max: 8 }),
      concurrency,
      noHandleSignals: true,
      logger: new Logger(() => () => {}),
      taskList: { attempt: (payload) => work(Number(Reflect.get(Object(payload), "job"))) }
    })
  }
}

const pgBoss: JobQueue = {
  add: async (url, jobs) => {
    const boss = await new PgBoss(url).start()
    await boss.createQueue("attempts")
    for (const some of chunks(jobs)) await boss.insert(some.map((job) => ({ name: "attempts", data: { job } })))
    await boss.stop({ graceful: false })
  },
  work: async (url, work) => {
    const boss = await new PgBoss({ connectionString: url, supervise: false, schedule: false }).start()
    // Fetched by hand: workers of pg-boss rest for half a second between two batches.
    const loop = async (): Promise<void> => {
      const jobs = await boss.fetch<{ readonly job: number }>("attempts", { batchSize: batch / 4 })
      if (jobs.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      const remaining = [...jobs]
      const lane = async (): Promise<void> => {
        for (let next = remaining.shift(); next !== undefined; next = remaining.shift()) await work(next.data.job)
      }
      await Promise.all(Array.from({ length: concurrency / 2 }, lane))
      if (jobs.length > 0) await boss.complete("attempts", jobs.map(({ id }) => id))
      return loop()
    }
    void loop()
    void loop()
  }
}

const prefixOf = (url: string): string => new URL(url).pathname.slice(1)

const redis = () => new Redis({ host: "127.0.0.1", port: 6379, maxRetriesPerRequest: null })

const bullMq: JobQueue = {
  add: async (url, jobs) => {
    const queue = new Queue("attempts", { connection: redis(), prefix: prefixOf(url) })
    for (const some of chunks(jobs)) {
      await queue.addBulk(some.map((job) => ({ name: "attempt", data: { job }, opts: { removeOnComplete: true } })))
    }
    await queue.close()
  },
  work: async (url, work) => {
    const worker = new Worker("attempts", ({ data }) => work(data.job), {
      connection: redis(),
      prefix: prefixOf(url),
      concurrency
    })
    await worker.waitUntilReady()
  }
}

/** The queues that the durable cycle is compared with. */
export const queues: Readonly<Record<string, JobQueue>> = {
  "graphile-worker": graphileWorker,
  "pg-boss": pgBoss,
  BullMQ: bullMq
}

/** Removes the jobs of a database that are kept in Redis. */
export const forgetJobs = async (url: string): Promise<void> => {
  const queue = new Queue("attempts", { connection: redis(), prefix: prefixOf(url) })
  await queue.obliterate({ force: true })
  await queue.close()
}
