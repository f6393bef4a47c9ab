const splitWords = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

/**
 * Functions that analysts may call: SQLite's documented scalar, aggregate, window, date, math and JSON functions,
 * except those that read the machine, engine or connection, or create blobs of any length.
 */
const allowedFunctions: ReadonlySet<string> = new Set([
  // https://sqlite.org/lang_corefunc.html
  ...splitWords(
    `abs char coalesce concat concat_ws format glob hex if ifnull iif instr length like likelihood likely lower
    ltrim max min nullif octet_length printf quote random replace round rtrim sign soundex substr substring trim typeof
    unhex unicode unistr unistr_quote unlikely upper`
  ),
  // https://sqlite.org/lang_aggfunc.html, https://sqlite.org/percentile.html
  ...splitWords(`avg count group_concat median percentile percentile_cont percentile_disc string_agg sum total`),
  // https://sqlite.org/windowfunctions.html
  ...splitWords(`cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number`),
  // https://sqlite.org/lang_datefunc.html
  ...splitWords(`date datetime julianday strftime time timediff unixepoch`),
  // https://sqlite.org/lang_mathfunc.html
  ...splitWords(
    `acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow
    power radians sin sinh sqrt tan tanh trunc`
  ),
  // https://sqlite.org/json1.html
  ...splitWords(`json json_array json_array_insert json_array_length json_error_position json_extract json_group_array
    json_group_object json_insert json_object json_patch json_pretty json_quote json_remove json_replace json_set
    json_type json_valid jsonb jsonb_array jsonb_array_insert jsonb_extract jsonb_group_array jsonb_group_object
    jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set`)
])

/** Table-valued functions. */
const allowedTableFunctions: ReadonlySet<string> = new Set(["json_each", "json_tree", "jsonb_each", "jsonb_tree"])

/** Keywords that may precede a parenthesis without being a function call. */
const keywordsBeforeParenthesis: ReadonlySet<string> = new Set(splitWords(`
  ALL AND AS BETWEEN BY CASE CAST DISTINCT ELSE ESCAPE EXCEPT EXISTS FILTER FROM GROUP GROUPS HAVING IN INTERSECT IS JOIN
  LIMIT MATCH MATERIALIZED NOT OFFSET ON OR OVER RANGE REGEXP RETURNING ROWS SELECT THEN UNION USING VALUES WHEN WHERE
  LIKE GLOB
`))

/** Case-insensitive test for a function that analysts may call. */
export const isAllowedFunction = (name: string): boolean => allowedFunctions.has(name.toLowerCase())

/** Case-insensitive test for a table-valued function that analysts may query. */
export const isAllowedTableFunction = (name: string): boolean => allowedTableFunctions.has(name.toLowerCase())

/** Case-insensitive test for a keyword that may precede a parenthesis without being a function call. */
export const mayPrecedeParenthesis = (word: string): boolean => keywordsBeforeParenthesis.has(word.toUpperCase())
