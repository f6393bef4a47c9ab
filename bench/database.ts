import pg from "pg"

const server = process.env["BENCH_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/postgres"

let databases = 0

const onServer = async (text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(text)
  await client.end()
}

/** Runs work with the URL of a new database on the server that `BENCH_POSTGRES` names, which is dropped afterwards. */
export const withDatabase = async <A>(work: (url: string) => Promise<A>): Promise<A> => {
  const name = `trunkline_bench_${process.pid}_${++databases}`
  await onServer(`create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`)
  try {
    return await work(Object.assign(new URL(server), { pathname: `/${name}` }).href)
  } finally {
    await onServer(`drop database ${name} with (force)`)
  }
}
