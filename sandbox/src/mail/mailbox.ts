import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

export interface ReceivedMail {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** BCP 47 tag. */
  readonly language: string | null;
  readonly text: string;
  readonly html: string | null;
  readonly sentAt: Date;
}

interface MailFilter {
  readonly to?: string | undefined;
  /** Id of the last message of the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

const EXTENSION = '.eml';

/** The messages that the product writes into its folder while it has no mail server. */
export class Mailbox {
  /** Files don't change once they have their name. */
  private readonly parsed = new Map<string, ReceivedMail>();

  constructor(private readonly folder: string) {}

  /** Newest first. Null for an unknown `after`. */
  async list({ to, after, limit }: MailFilter): Promise<{ mails: ReceivedMail[]; hasMore: boolean } | null> {
    const all = await this.read();
    const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && start === 0) return null;
    const found = all.slice(start).filter((mail) => to === undefined || mail.to === to);
    return { mails: found.slice(0, limit), hasMore: found.length > limit };
  }

  async find(id: string): Promise<ReceivedMail | null> {
    return (await this.read()).find((mail) => mail.id === id) ?? null;
  }

  private async read(): Promise<ReceivedMail[]> {
    const names = await readdir(this.folder).catch(ignoreMissing);
    const ids = (names ?? [])
      .filter((name) => name.endsWith(EXTENSION))
      .map((name) => name.slice(0, -EXTENSION.length));
    const known = new Set(ids);
    for (const id of this.parsed.keys()) if (!known.has(id)) this.parsed.delete(id);
    const mails = await Promise.all(ids.map((id) => this.parsed.get(id) ?? this.parse(id)));
    return mails
      .filter((mail) => mail !== null)
      .sort((a, b) => Number(b.sentAt) - Number(a.sentAt) || (a.id < b.id ? 1 : -1));
  }

  /** Null for a deleted file. */
  private async parse(id: string): Promise<ReceivedMail | null> {
    const path = join(this.folder, id + EXTENSION);
    const [file, state] = await Promise.all([readFile(path).catch(ignoreMissing), stat(path).catch(ignoreMissing)]);
    if (!file || !state) return null;
    const { from, to, subject, text, html, headers } = await PostalMime.parse(file);
    const mail = {
      id,
      from: addressOf(from),
      to: addressOf(to?.[0]),
      subject: subject ?? '',
      language: headers.find(({ key }) => key === 'content-language')?.value ?? null,
      text: (text ?? '').trimEnd(),
      html: html ?? null,
      // The header has no milliseconds.
      sentAt: state.mtime,
    };
    this.parsed.set(id, mail);
    return mail;
  }
}

const addressOf = (mailbox: { readonly address?: string | undefined } | undefined): string => mailbox?.address ?? '';

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error;
  return null;
}
