const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

/**
 * The functions that analysts may call: SQLite's documented scalar, aggregate, window, date, mathematical and JSON
 * functions, but none that reads the machine, the engine or the connection, or makes blobs of any length.
 */
const allowed: ReadonlySet<string> = new Set([
  // https://sqlite.org/lang_corefunc.html
  ...words(`abs char coalesce concat concat_ws format glob hex if ifnull iif instr length like likelihood likely lower
    ltrim max min nullif octet_length printf quote random replace round rtrim sign soundex substr substring trim typeof
    unhex unicode unistr unistr_quote unlikely upper`),
  // https://sqlite.org/lang_aggfunc.html, https://sqlite.org/percentile.html
  ...words(`avg count group_concat median percentile percentile_cont percentile_disc string_agg sum total`),
  // https://sqlite.org/windowfunctions.html
  ...words(`cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number`),
  // https://sqlite.org/lang_datefunc.html
  ...words(`date datetime julianday strftime time timediff unixepoch`),
  // https://sqlite.org/lang_mathfunc.html
  ...words(`acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow
    power radians sin sinh sqrt tan tanh trunc`),
  // https://sqlite.org/json1.html
  ...words(`json json_array json_array_insert json_array_length json_error_position json_extract json_group_array
    json_group_object json_insert json_object json_patch json_pretty json_quote json_remove json_replace json_set
    json_type json_valid jsonb jsonb_array jsonb_array_insert jsonb_extract jsonb_group_array jsonb_group_object
    jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set`)
])

/** Functions that stand where a table does. */
const allowedTables: ReadonlySet<string> = new Set(["json_each", "json_tree", "jsonb_each", "jsonb_tree"])

/** Keywords that a parenthesis may follow without calling anything. */
const beforeParenthesis: ReadonlySet<string> = new Set(words(`
  ALL AND AS BETWEEN BY CASE CAST DISTINCT ELSE ESCAPE EXCEPT EXISTS FILTER FROM GROUP GROUPS HAVING IN INTERSECT IS JOIN
  LIMIT MATCH MATERIALIZED NOT OFFSET ON OR OVER RANGE REGEXP RETURNING ROWS SELECT THEN UNION USING VALUES WHEN WHERE
  LIKE GLOB
`))

/** Whether analysts may call a function; `name` in any case of letters. */
export const isAllowedFunction = (name: string): boolean => allowed.has(name.toLowerCase())

/** Whether analysts may query a function as a table; `name` in any case of letters. */
export const isAllowedTableFunction = (name: string): boolean => allowedTables.has(name.toLowerCase())

/** Whether a parenthesis after this keyword is no call of a function; `word` in any case of letters. */
export const isNoFunction = (word: string): boolean => beforeParenthesis.has(word.toUpperCase())
