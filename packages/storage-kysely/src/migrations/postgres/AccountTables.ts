import { accounts, engineState, keys, limits, voices } from "../tables/SharedAccountTables.js"
import { onPostgres } from "../tables/TableText.js"

/** Creates the tables of accounts: keys, limits, credits and voices; and of the engine itself. */
export const accountTables: ReadonlyArray<string> = [
  ...onPostgres(accounts),
  `create index workspaces_by_account
    on workspaces ((cast(cast(body as json) -> 'account_id' as jsonb) #>> '{}'), org_id, workspace_id)`,
  ...onPostgres(keys),
  ...onPostgres(limits),
  ...onPostgres(voices),
  ...onPostgres(engineState),
  `create table ownership (
    id integer primary key check (id = 1),
    owner text not null,
    lock text not null,
    fence bigint not null,
    beat bigint not null,
    beat_at float8 not null,
    lease_millis float8 not null
  )`
]
