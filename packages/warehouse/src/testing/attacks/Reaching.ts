import { type Attack, expectContained, expectRefused } from "../Attack.js"

const noTable = expectRefused("FORBIDDEN_TABLE")
const noFunction = expectRefused("FORBIDDEN_FUNCTION")
const notRead = expectRefused("NOT_READ_ONLY")

/** Files, extensions and the machine. */
export const file: ReadonlyArray<Attack> = [
  ...notRead(
    "ATTACH DATABASE '/tmp/x.db' AS x",
    "ATTACH ':memory:' AS x",
    "DETACH main",
    "VACUUM INTO '/tmp/copy.db'",
    "PRAGMA temp_store_directory = '/tmp'",
    "CREATE VIRTUAL TABLE t USING csv(filename = '/etc/passwd')"
  ),
  ...noFunction(
    "SELECT load_extension('x')",
    "SELECT \"load_extension\"('x')",
    "SELECT [load_extension] ('x', 'y')",
    "SELECT LOAD_EXTENSION/**/('x')",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('/tmp/x', 'y')",
    "SELECT edit('x', 'vi')",
    "SELECT lsmode(1)",
    "SELECT fts3_tokenizer('simple')",
    "SELECT * FROM fsdir('/')",
    "SELECT * FROM zipfile('/tmp/x.zip')",
    "SELECT 1 WHERE 1 IN readfile('/etc/passwd')"
  ),
  ...noTable("SELECT * FROM \"/etc/passwd\"", "SELECT * FROM 'file:/etc/passwd?mode=ro'", "SELECT * FROM csv")
]

/** Other workspaces and internal tables. */
export const tenant: ReadonlyArray<Attack> = [
  ...noTable(
    "SELECT * FROM trunkline_facts",
    "SELECT * FROM TRUNKLINE_FACTS",
    "SELECT * FROM \"trunkline_facts\"",
    "SELECT * FROM [trunkline_facts]",
    "SELECT * FROM `trunkline_facts`",
    "SELECT * FROM 'trunkline_facts'",
    "SELECT * FROM /* FROM EngagementFactsBoardsView */ trunkline_facts",
    "SELECT * FROM EngagementFactsBoardsView, trunkline_state",
    "SELECT * FROM EngagementFactsBoardsView AS a JOIN 'trunkline_state' ON 1",
    "SELECT * FROM EngagementFactsBoardsView a LEFT JOIN EngagementFactsBoardsView b ON 1 = 1, 'trunkline_state'",
    "SELECT * FROM ('trunkline_state')",
    "SELECT * FROM ((EngagementFactsBoardsView), ('trunkline_state'))",
    "SELECT 1 WHERE 'x' IN trunkline_state",
    "SELECT 1 WHERE 'x' NOT IN 'trunkline_state'",
    "SELECT 1 WHERE 'x' IN main.trunkline_state",
    "SELECT * FROM main.EngagementFactsBoardsView",
    "SELECT * FROM temp.EngagementFactsBoardsView",
    "SELECT * FROM \"main\" . \"trunkline_facts\"",
    "SELECT * FROM 'main'.'trunkline_facts'",
    "SELECT main.trunkline_facts.app_id FROM EngagementFactsBoardsView",
    "WITH trunkline_facts AS (SELECT 1) SELECT * FROM trunkline_facts",
    "WITH x AS (SELECT * FROM trunkline_facts) SELECT * FROM x",
    "SELECT (SELECT watermark FROM trunkline_state)",
    "SELECT * FROM other_workspace",
    "SELECT * FROM EngagementFactsBoardsView UNION ALL SELECT * FROM trunkline_facts"
  ),
  ...noFunction(
    "SELECT set_config('workspace', 'other', false)",
    "SELECT * FROM EngagementFactsBoardsView('other')",
    "SELECT current_setting('x')"
  ),
  ...expectContained(
    "SELECT * FROM EngagementFactsBoardsView WHERE app_id = '' OR 1 = 1",
    "WITH EngagementFactsBoardsView AS (SELECT 1 AS mine) SELECT * FROM EngagementFactsBoardsView",
    "SELECT * FROM EngagementFactsBoardsView WHERE attempt_id > '' OR org_id = 'law-attacked-other'",
    "SELECT * FROM engagementfactsboardsview AS main WHERE main.app_id IS NOT NULL"
  )
]

/** Metadata of the database. */
export const meta: ReadonlyArray<Attack> = [
  ...noTable(
    "SELECT * FROM sqlite_master",
    "SELECT * FROM SQLite_Schema",
    "SELECT * FROM \"sqlite_master\"",
    "SELECT * FROM 'sqlite_master'",
    "SELECT * FROM sqlite_temp_schema",
    "SELECT sql FROM (SELECT * FROM [sqlite_master])",
    "SELECT 1 WHERE 1 IN sqlite_master",
    "SELECT * FROM pragma_table_info('trunkline_facts')",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM EngagementFactsBoardsView, pragma_function_list()",
    "SELECT * FROM dbstat",
    "SELECT * FROM sqlite_dbpage",
    "SELECT * FROM sqlite_stmt",
    "SELECT * FROM fts5vocab",
    "SELECT * FROM sqlite_sequence",
    "SELECT * FROM rtree"
  ),
  ...noFunction(
    "SELECT sqlite_version()",
    "SELECT sqlite_source_id()",
    "SELECT sqlite_compileoption_get(0)",
    "SELECT sqlite_offset(attempt_id) FROM EngagementFactsBoardsView",
    "SELECT last_insert_rowid()",
    "SELECT changes() + total_changes()",
    "SELECT * FROM bytecode('SELECT 1')",
    "SELECT rtreecheck('x')"
  ),
  ...notRead(
    "PRAGMA database_list",
    "PRAGMA table_info(trunkline_facts)",
    "EXPLAIN SELECT 1",
    "EXPLAIN QUERY PLAN SELECT 1"
  )
]
