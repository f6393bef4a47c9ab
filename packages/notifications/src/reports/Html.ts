import { escapeXml } from "@trunkline/charts"

/** Readable on white and on black, since mail clients in dark mode invert the page but not every colour. */
const mutedColor = "#7b8089"

/** Row borders: light on white and dark enough on black. */
const borderColor = "#b9bdc4"

/** Texts up to this many UTF-16 units, such as dates and numbers, are not wrapped. */
const maxNoWrapLength = 24

const font = "font-family:'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif"

/** Small text below or above other content. */
export const footnote = (text: string): string =>
  `<p style="margin:8px 0 0;font-size:13px;color:${mutedColor}">${escapeXml(text)}</p>`

export const paragraph = (text: string): string => `<p style="margin:0 0 12px">${escapeXml(text)}</p>`

/** A single large value with its name. */
export const bigValue = (value: string, name: string): string =>
  `<p style="margin:0;font-size:40px;line-height:1.2;font-weight:bold">${escapeXml(value)}</p>` +
  `<p style="margin:0 0 16px;color:${mutedColor}">${escapeXml(name)}</p>`

/** An image attached to the mail, of a width in pixels or of that of the window. */
export const inlineImage = (cid: string, alt: string, width: number | "100%"): string =>
  `<p style="margin:0 0 16px"><img src="cid:${escapeXml(cid)}" alt="${
    escapeXml(alt)
  }" width="${width}" class="chart" ` +
  `style="display:block;width:100%;${width === "100%" ? "" : `max-width:${width}px;`}height:auto;border:0"></p>`

/** Link to the page of the board. */
export const boardLink = (url: string): string =>
  `<p style="margin:20px 0 0"><a href="${escapeXml(url)}">Open the board</a></p>`

/** A table of texts; `numeric` columns are right-aligned. */
export const htmlTable = (
  columns: ReadonlyArray<{ readonly name: string; readonly numeric: boolean }>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): string => {
  const sides = columns.map(({ numeric }) => numeric ? " align=\"right\"" : "")
  const head = columns.map(({ name, numeric }) =>
    `<th scope="col" align="${numeric ? "right" : "left"}" style="border-bottom:2px solid ${mutedColor}">${
      escapeXml(name)
    }</th>`
  )
  const cell = (text: string, index: number) => {
    const side = `${sides[index] ?? ""}${text.length <= maxNoWrapLength ? " nowrap" : ""}`
    return `<td${side} style="border-bottom:1px solid ${borderColor}">${escapeXml(text)}</td>`
  }
  return `<table width="100%" cellpadding="6" cellspacing="0" border="0" ` +
    `style="width:100%;border-collapse:collapse;font-size:14px;${font}">` +
    `<tr>${head.join("")}</tr>\n${
      rows.map((row) => `<tr valign="top">${row.map(cell).join("")}</tr>`).join("\n")
    }</table>`
}

/** A table of names and texts. */
export const factTable = (facts: ReadonlyArray<readonly [name: string, text: string]>): string => {
  const rows = facts.map(([name, text]) =>
    `<tr valign="top"><th scope="row" align="left" style="color:${mutedColor};font-weight:normal">${
      escapeXml(name)
    }</th>` +
    `<td>${escapeXml(text)}</td></tr>`
  )
  return `<table cellpadding="4" cellspacing="0" border="0" style="font-size:14px;${font}">${rows.join("\n")}</table>`
}

/**
 * Colours of the page on a light and on a dark screen. Mail clients that ignore them show the page in their own colours,
 * which the other colours fit as well. Charts keep their white, so that their labels stay readable.
 */
const colours = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
body, .page { background: #ffffff; color: #1f2933; }
a { color: #0062a3; }
.chart { background: #ffffff; border-radius: 8px; }
@media (prefers-color-scheme: dark) {
  body, .page { background: #16191d !important; color: #e4e7eb !important; }
  a { color: #7cc0f5 !important; }
}`

/**
 * A complete mail: layout by tables, inline styles and no external resources, as Outlook and Gmail require. The page
 * is as wide as the window, and dark where the screen is.
 */
export const htmlPage = (title: string, subtitle: string, parts: ReadonlyArray<string>): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeXml(title)}</title>
<style>
${colours}
</style>
</head>
<body style="margin:0;padding:0">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td style="padding:24px 16px;font-size:14px;line-height:1.5;${font}">
<h1 style="margin:0;font-size:20px;line-height:1.3">${escapeXml(title)}</h1>
<p style="margin:4px 0 20px;color:${mutedColor}">${escapeXml(subtitle)}</p>
${parts.join("\n")}
</td></tr>
</table>
</body>
</html>
`
