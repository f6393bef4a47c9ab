/**
 * Shows the boards of a workspace. The fragment of the address, which browsers do not send, names the workspace and
 * perhaps a board, values of its filters, and the key. The key leaves the address at once and stays in this tab only.
 * A board updates itself: soon while its figures change, and otherwise less and less often.
 */
const ids = ["as-of", "content", "door", "home", "message", "refresh", "title"]
const [asOf, content, door, home, message, refresh, title] = ids.map((id) => document.getElementById(id))

const asked = new URLSearchParams(location.hash.slice(1))
const keyIn = (fields) => `trunkline-key ${fields.get("org")}/${fields.get("workspace")}`
const keyOf = () => sessionStorage.getItem(keyIn(asked))

if (asked.has("key")) {
  sessionStorage.setItem(keyIn(asked), asked.get("key"))
  asked.delete("key")
  history.replaceState(null, "", `#${asked}`)
}

/** Seconds between updates, and more for each chart, as the API draws 20 in a minute; greatest age of cached figures. */
const pace = { least: 3, most: 30, chart: 3, age: 5 }

/** An error of the API, or none of it when the server does not answer, with the seconds that it asks to wait. */
class Refused extends Error {
  constructor(text, status, wait) {
    super(text)
    const isKey = status === 401 || status === 403
    Object.assign(this, { status, wait, isKey, isForNow: [0, 408, 429].includes(status) || status >= 500 })
  }
}

const base = () =>
  `/api/analytics/v1/${["org", "workspace"].map((name) => encodeURIComponent(asked.get(name))).join("/")}`

const failTo = (reason, status = 0) => () => {
  throw new Refused(reason, status, 0)
}

const ask = async (path, body, read = (response) => response.json()) => {
  const silent = failTo("The server does not answer.")
  const response = await fetch(base() + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "X-API-Key": keyOf(), "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000)
  }).catch(silent)
  if (response.ok) return read(response).catch(silent)
  const answer = await response.json().catch(() => ({}))
  const reason = answer.error?.message ?? `The server answered ${response.status}.`
  throw new Refused(reason, response.status, Number(response.headers.get("retry-after") ?? 0))
}

const between = (least, most, value) => Math.round(Math.min(most, Math.max(least, value)))
const make = (name, textContent, className = "") =>
  Object.assign(document.createElement(name), { textContent, className })

const tableOf = ({ columns, rows }, name) => {
  const sides = columns.map((_, index) => rows.some((row) => typeof row[index] === "number") ? "number-cell" : "")
  const table = make("table", "")
  table.createTHead().insertRow().append(...columns.map((column, index) => make("th", column.name, sides[index])))
  const body = table.createTBody()
  for (const row of rows) {
    body.insertRow().append(...row.map((cell, index) => make("td", cell === null ? "–" : String(cell), sides[index])))
  }
  const scroll = make("div", "", "scroll")
  Object.assign(scroll, { tabIndex: 0, role: "region", ariaLabel: name }).append(table)
  return scroll
}

/** The size in which a chart fills its card. */
const sizeOf = ({ clientHeight, clientWidth }) => ({
  width: between(240, 1600, clientWidth),
  height: between(160, 560, clientHeight)
})

const chartOf = async (board, { id, name }, size, values) => {
  const query = new URLSearchParams({ filter_values: JSON.stringify(values), max_age: pace.age, ...size })
  const path = `/boards/${board.id}/widgets/${id}/chart.svg?${query}`
  const image = Object.assign(new Image(), { alt: `Chart of ${name}` })
  image.src = URL.createObjectURL(await ask(path, undefined, (response) => response.blob()))
  await image.decode().catch(failTo("This browser cannot show the chart.", 400))
  URL.revokeObjectURL(image.src)
  return image
}

/** Values that the address gives for filters that these widgets use. */
const valuesFor = (widgets) =>
  Object.fromEntries(
    widgets.flatMap(({ filters }) => filters)
      .filter(({ internal_name }) => asked.has(internal_name))
      .map(({ filter_type, internal_name }) => [internal_name, { filter_type, value: asked.get(internal_name) }])
  )

/**
 * Fills a card with its table, its chart or the reason why there is neither, unless that is what it shows. A chart that
 * cannot be drawn for now stays as it was.
 */
const fill = async (board, card, result) => {
  const { node, widget } = card
  const isChart = widget.viz_type !== "table" && result.status === "ok" && result.rows.length > 0
  const { className } = content
  content.className = ""
  const size = isChart && sizeOf(node)
  content.className = className
  const figures = JSON.stringify([result, size])
  if (card.figures === figures) return { charts: 0, changed: false }
  const write = (below) => node.replaceChildren(make("h2", widget.name), below)
  const done = { charts: isChart ? 1 : 0, changed: true }
  try {
    if (isChart) node.replaceChildren(await chartOf(board, widget, size, valuesFor([widget])))
    else if (result.status === "error") write(make("p", result.error.message))
    else write(result.rows.length === 0 ? make("p", "No calls yet.", "note") : tableOf(result, widget.name))
  } catch (error) {
    if (error.isKey) throw error
    if (error.isForNow) return { ...done, error }
    write(make("p", error.message))
  }
  card.figures = figures
  return done
}

/** The board that is shown, as the API gave it, and the cards of its widgets by their ids. */
let shown = { text: "", cards: new Map() }

const place = (board) => {
  const text = JSON.stringify(board)
  if (text === shown.text) return
  const cards = new Map()
  const sections = board.tabs.map(({ name, widgets }) => {
    const section = make("section", "")
    if (board.tabs.length > 1) section.append(make("h2", name))
    for (const widget of widgets) {
      const node = make("article", "", widget.viz_type)
      node.append(make("h2", widget.name), make("p", "Loading …", "note"))
      cards.set(widget.id, { node, widget, figures: "" })
      section.append(node)
    }
    return section
  })
  title.textContent = document.title = board.name
  content.replaceChildren(...sections)
  shown = { text, cards }
}

/** Shows a board with figures of at most this age; gives the seconds until the next update. */
const showBoard = async (id, max_age, before, width = innerWidth) => {
  const board = await ask(`/boards/${encodeURIComponent(id)}`)
  place(board)
  const tabs = board.tabs.filter(({ widgets }) => widgets.length > 0)
  const fills = await Promise.all(tabs.map(async ({ id, widgets }) => {
    const run = { filter_values: valuesFor(widgets), max_age }
    const { results } = await ask(`/boards/${board.id}/tabs/${id}/run`, run)
    const known = results.filter(({ widget_id }) => shown.cards.has(widget_id))
    return Promise.all(known.map((result) => fill(board, shown.cards.get(result.widget_id), result)))
  }))
  asOf.textContent = `As of ${new Date().toLocaleTimeString()}. The board updates itself.`
  const all = fills.flat()
  const late = all.find(({ error }) => error !== undefined)
  if (late !== undefined) throw late.error
  if (innerWidth === width) content.className = ""
  const charts = all.reduce((sum, each) => sum + each.charts, 0)
  return between(pace.least, pace.most, all.some(({ changed }) => changed) ? 1 + pace.chart * charts : 2 * before)
}

const addressOf = (board) =>
  `#${new URLSearchParams({ org: asked.get("org"), workspace: asked.get("workspace"), ...board })}`

const showBoards = async () => {
  const { items } = await ask("/boards?limit=100")
  const list = make("ul", "")
  for (const { id, name } of items) {
    const line = make("li", "")
    line.append(Object.assign(make("a", name), { href: addressOf({ board: id }) }))
    list.append(line)
  }
  asOf.textContent = ""
  content.replaceChildren(items.length === 0 ? make("p", "This workspace has no boards yet.", "note") : list)
}

const say = (text, className) => Object.assign(message, { textContent: text, className })
const unknownKey = "The server does not know this key. Is it whole, and has it been revoked?"

const askForKey = (reason, className) => {
  say(reason, className)
  shown = { text: "", cards: new Map() }
  content.replaceChildren()
  title.textContent = document.title = "Trunkline boards"
  asOf.textContent = ""
  sessionStorage.removeItem(keyIn(asked))
  for (const name of ["org", "workspace"]) door.elements[name].value = asked.get(name) ?? ""
  home.hidden = refresh.hidden = true
  door.hidden = false
  door.elements[["org", "workspace"].find((name) => door.elements[name].value === "") ?? "key"].focus()
}

let [isBusy, timer, wait, lastWidth] = [false, undefined, pace.least, innerWidth]

/** Shows what the address names. Of several calls at the same time only the first does anything. */
const show = async (age = pace.age) => {
  if (isBusy) return
  clearTimeout(timer)
  const key = asked.get("org") && asked.get("workspace") && keyOf()
  if (!key) return askForKey("Enter a key of the workspace.", "")
  if (!/^[\x21-\x7e]+$/.test(key)) return askForKey("This is no key: a key has letters, digits and _ only.", "error")
  isBusy = true
  door.hidden = true
  home.hidden = !asked.has("board")
  home.href = addressOf({})
  refresh.hidden = false
  if (content.children.length === 0) asOf.textContent = "Loading …"
  try {
    if (asked.has("board")) timer = setTimeout(update, 1000 * (wait = await showBoard(asked.get("board"), age, wait)))
    else await showBoards()
    say("", "")
  } catch (error) {
    if (shown.text === "") asOf.textContent = ""
    if (error.isKey) askForKey(error.status === 401 ? unknownKey : error.message, "error")
    else if (!error.isForNow) say(error.message, "error")
    else {
      wait = Math.max(error.wait, between(pace.least, pace.most, 2 * wait))
      say(`${error.message.replace(/ Try again\.$/, "")} Trying again in ${wait} seconds.`, "error")
      timer = setTimeout(update, 1000 * wait)
    }
  }
  isBusy = false
}

/** A page that nobody sees need not be up to date until somebody does; one that is busy may be measuring its old width. */
const update = () => document.hidden || !door.hidden ? undefined : isBusy ? setTimeout(update, 500) : show()

door.addEventListener("submit", (event) => {
  event.preventDefault()
  const fields = new FormData(door)
  for (const name of ["org", "workspace"]) asked.set(name, fields.get(name).trim())
  sessionStorage.setItem(keyIn(asked), fields.get("key").trim())
  door.reset()
  history.replaceState(null, "", `#${asked}`)
  show()
})
refresh.addEventListener("click", () => show(0))
document.addEventListener("visibilitychange", update)
addEventListener("hashchange", () => location.reload())

addEventListener("resize", () => {
  if (lastWidth === innerWidth || shown.text === "") return
  lastWidth = innerWidth
  content.className = "resized"
  clearTimeout(timer)
  timer = setTimeout(update, 500)
})
show()
