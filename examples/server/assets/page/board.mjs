/**
 * Shows the boards of a workspace. The fragment of the address, which browsers do not send, names the workspace and
 * perhaps a board, values of its filters, and the key. The key leaves the address at once and stays in this tab only.
 */
const element = (id) => document.getElementById(id)
const [content, door, message, refresh, title] = ["content", "door", "message", "refresh", "title"].map(element)

const asked = new URLSearchParams(location.hash.slice(1))
const storage = "trunkline-key"
const keyIn = (fields) => `${storage} ${fields.get("org")}/${fields.get("workspace")}`

if (asked.has("key")) {
  sessionStorage.setItem(keyIn(asked), asked.get("key"))
  asked.delete("key")
  history.replaceState(null, "", `#${asked}`)
}

/** An error of the API, or a sentence of this page. */
class Refused extends Error {
  constructor(text, status) {
    super(text)
    this.status = status
  }
}

const base = () =>
  `/api/analytics/v1/${["org", "workspace"].map((name) => encodeURIComponent(asked.get(name))).join("/")}`

const ask = async (path, body) => {
  const response = await fetch(base() + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "X-API-Key": sessionStorage.getItem(keyIn(asked)), "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body)
  })
  if (response.ok) return response
  const answer = await response.json().catch(() => ({}))
  const wait = response.headers.get("retry-after")
  const reason = answer.error?.message ?? `The server answered ${response.status}`
  throw new Refused(wait === null ? reason : `${reason} Try again in ${wait} seconds.`, response.status)
}

const askJson = async (path, body) => (await ask(path, body)).json()

const make = (name, text, className = "") => {
  const made = document.createElement(name)
  made.textContent = text
  made.className = className
  return made
}

const sideOf = (cell) => typeof cell === "number" ? "number" : ""

const tableOf = ({ columns, rows }) => {
  const table = make("table", "")
  const head = table.createTHead().insertRow()
  head.append(...columns.map(({ name }, index) => make("th", name, sideOf(rows[0]?.[index]))))
  const body = table.createTBody()
  for (const row of rows) {
    body.insertRow().append(...row.map((cell) => make("td", cell === null ? "–" : String(cell), sideOf(cell))))
  }
  return table
}

const chartOf = async (board, { id, name }, values) => {
  const query = new URLSearchParams({ filter_values: JSON.stringify(values) })
  const blob = await (await ask(`/boards/${board.id}/widgets/${id}/chart.svg?${query}`)).blob()
  const image = new Image()
  image.alt = `Chart of ${name}`
  image.src = URL.createObjectURL(blob)
  await image.decode().catch(() => undefined)
  URL.revokeObjectURL(image.src)
  return image
}

/** A widget as a card: its chart, its table, or the reason why there is neither. */
const cardOf = async (board, widget, result, values) => {
  const card = make("article", "")
  if (widget.viz_type === "table" || result.status === "error" || result.rows.length === 0) {
    card.append(make("h2", widget.name))
    if (result.status === "error") card.append(result.error.message)
    else card.append(result.rows.length === 0 ? "No calls yet." : tableOf(result))
    return card
  }
  try {
    card.append(await chartOf(board, widget, values))
    card.className = "chart"
  } catch (error) {
    card.append(make("h2", widget.name), error.message)
  }
  return card
}

/** Values that the address gives for filters that these widgets use. */
const valuesFor = (widgets) =>
  Object.fromEntries(
    widgets.flatMap(({ filters }) => filters)
      .filter(({ internal_name }) => asked.has(internal_name))
      .map(({ filter_type, internal_name }) => [internal_name, { filter_type, value: asked.get(internal_name) }])
  )

const tabOf = async (board, { id, name, widgets }) => {
  const section = make("section", "")
  if (board.tabs.length > 1) section.append(make("h2", name))
  if (widgets.length === 0) return section
  const { results } = await askJson(`/boards/${board.id}/tabs/${id}/run`, { filter_values: valuesFor(widgets) })
  const cards = widgets.map((widget, index) => cardOf(board, widget, results[index], valuesFor([widget])))
  section.append(...await Promise.all(cards))
  return section
}

const showBoard = async (id) => {
  const board = await askJson(`/boards/${encodeURIComponent(id)}`)
  title.textContent = document.title = board.name
  content.replaceChildren(...await Promise.all(board.tabs.map((tab) => tabOf(board, tab))))
  message.textContent = `As of ${new Date().toLocaleTimeString()}`
}

const showBoards = async () => {
  const { items } = await askJson("/boards?limit=100")
  const links = items.map(({ id, name }) => {
    const link = make("a", name)
    link.href = `#${new URLSearchParams({ org: asked.get("org"), workspace: asked.get("workspace"), board: id })}`
    const line = make("li", "")
    line.append(link)
    return line
  })
  const list = make("ul", "")
  list.append(...links)
  content.replaceChildren(list)
  message.textContent = links.length === 0 ? "This workspace has no boards yet." : ""
}

const isOpen = () => asked.has("org") && asked.has("workspace") && sessionStorage.getItem(keyIn(asked)) !== null

const askForKey = (reason) => {
  message.textContent = reason
  content.replaceChildren()
  for (const name of ["org", "workspace"]) door.elements[name].value = asked.get(name) ?? ""
  refresh.hidden = true
  door.hidden = false
}

const show = async () => {
  if (!isOpen()) return askForKey("Enter a key of the workspace. It stays in this tab.")
  message.textContent = "Loading …"
  door.hidden = true
  refresh.hidden = false
  refresh.disabled = true
  try {
    await (asked.has("board") ? showBoard(asked.get("board")) : showBoards())
  } catch (error) {
    if (error.status === 401 || error.status === 403) askForKey(error.message)
    else message.textContent = error.message
  }
  refresh.disabled = false
}

door.addEventListener("submit", (event) => {
  event.preventDefault()
  const fields = new FormData(door)
  for (const name of ["org", "workspace"]) asked.set(name, fields.get(name))
  sessionStorage.setItem(keyIn(asked), fields.get("key"))
  door.reset()
  history.replaceState(null, "", `#${asked}`)
  show()
})
refresh.addEventListener("click", show)
addEventListener("hashchange", () => location.reload())
show()
