const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

/** HTML, of which all that came from outside is escaped. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "")

/** Readable on white and on black, since mail programs in dark mode turn the page but not every colour. */
const quiet = "#7b8089"

/** The lines between rows, light on white and dark enough on black. */
const hairline = "#b9bdc4"

/** Texts of at most so many UTF-16 units, such as dates and numbers, stay on one line. */
const unbroken = 24

const font = "font-family:'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif"

/** A sentence under or over something. */
export const smallLine = (text: string): string =>
  `<p style="margin:8px 0 0;font-size:13px;color:${quiet}">${escapeHtml(text)}</p>`

/** A paragraph. */
export const paragraph = (text: string): string => `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`

/** One value that is the whole message, and what it is. */
export const bigFigure = (value: string, name: string): string =>
  `<p style="margin:0;font-size:40px;line-height:1.2;font-weight:bold">${escapeHtml(value)}</p>` +
  `<p style="margin:0 0 16px;color:${quiet}">${escapeHtml(name)}</p>`

/** A picture that goes with the mail. */
export const inlinePicture = (cid: string, alt: string): string =>
  `<p style="margin:0 0 16px"><img src="cid:${escapeHtml(cid)}" alt="${escapeHtml(alt)}" width="640" ` +
  `style="display:block;width:100%;max-width:640px;height:auto;border:0"></p>`

/** A table of texts; `numeric` columns stand to the right. */
export const htmlTable = (
  columns: ReadonlyArray<{ readonly name: string; readonly numeric: boolean }>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): string => {
  const sides = columns.map(({ numeric }) => numeric ? " align=\"right\"" : "")
  const head = columns.map(({ name, numeric }) =>
    `<th scope="col" align="${numeric ? "right" : "left"}" style="border-bottom:2px solid ${quiet}">${
      escapeHtml(name)
    }</th>`
  )
  const cell = (text: string, index: number) => {
    const side = `${sides[index] ?? ""}${text.length <= unbroken ? " nowrap" : ""}`
    return `<td${side} style="border-bottom:1px solid ${hairline}">${escapeHtml(text)}</td>`
  }
  return `<table cellpadding="6" cellspacing="0" border="0" style="border-collapse:collapse;font-size:14px;${font}">` +
    `<tr>${head.join("")}</tr>\n${
      rows.map((row) => `<tr valign="top">${row.map(cell).join("")}</tr>`).join("\n")
    }</table>`
}

/** What is said about a few things, one under the other. */
export const factTable = (facts: ReadonlyArray<readonly [name: string, text: string]>): string => {
  const rows = facts.map(([name, text]) =>
    `<tr valign="top"><th scope="row" align="left" style="color:${quiet};font-weight:normal">${escapeHtml(name)}</th>` +
    `<td>${escapeHtml(text)}</td></tr>`
  )
  return `<table cellpadding="4" cellspacing="0" border="0" style="font-size:14px;${font}">${rows.join("\n")}</table>`
}

/**
 * A whole mail: tables for its layout, its style within the elements and nothing from outside, as Outlook and Gmail need
 * it; no colours of its own but one that shows on white and on black, so that dark mode can have its way.
 */
export const htmlPage = (title: string, under: string, parts: ReadonlyArray<string>): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;padding:0">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td style="padding:24px 16px;font-size:14px;line-height:1.5;${font}">
<h1 style="margin:0;font-size:20px;line-height:1.3">${escapeHtml(title)}</h1>
<p style="margin:4px 0 20px;color:${quiet}">${escapeHtml(under)}</p>
${parts.join("\n")}
</td></tr>
</table>
</body>
</html>
`
