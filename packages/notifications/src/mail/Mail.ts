/** A file that goes with a mail. */
export interface Attachment {
  /** What it is called, such as `Calls per day.csv`. */
  readonly filename: string
  readonly content: Uint8Array
  /** Its media type, such as `text/csv; charset=utf-8`. */
  readonly contentType: string
  /** When there is one, the file is a picture that the HTML shows where it says `cid:<cid>`. */
  readonly cid?: string | undefined
}

/** What a mail says, whoever gets it. */
export interface MailContent {
  /** One line. */
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: ReadonlyArray<Attachment>
}

/** One mail to one person. */
export interface Mail extends MailContent {
  /** One address, such as `asha@example.in`, without a name. */
  readonly to: string
  /** The same for every try of the same mail, such as `<rep-1a2b.0@reports.example.in>` (RFC 5322, 3.6.4). */
  readonly message_id: string
}
