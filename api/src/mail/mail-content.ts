import type { Locale } from '@clearframe/contract';

export interface Row {
  readonly label: string;
  readonly value: string;
  /** Both, for the text part. */
  readonly line: string;
}

export type Block =
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'code'; readonly label: string; readonly code: string; readonly line: string }
  | { readonly type: 'button' | 'link'; readonly label: string; readonly url: string }
  | { readonly type: 'rows'; readonly rows: readonly Row[] };

export interface MailContent {
  readonly locale: Locale;
  readonly subject: string;
  /** In large figures, for instance the amount of a receipt. */
  readonly figure: string | null;
  readonly blocks: readonly Block[];
  readonly footer: {
    /** Why the recipient gets the message. */
    readonly reason: string;
    readonly help: { readonly before: string; readonly label: string; readonly after: string; readonly url: string };
    readonly postalAddress: string | null;
  };
}

/** Separates the footer, as mail clients expect of signatures (RFC 3676, section 4.3). */
const SIGNATURE = '-- ';

function blockText(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return block.text;
    case 'code':
      return block.line;
    case 'button':
    case 'link':
      return `${block.label}\n${block.url}`;
    case 'rows':
      return block.rows.map(({ line }) => line).join('\n');
  }
}

export function textOf({ blocks, footer }: MailContent): string {
  const { before, label, after, url } = footer.help;
  const lines = [SIGNATURE, 'Clearframe', footer.reason, `${before}${label}${after}`, url, footer.postalAddress];
  return [...blocks.map(blockText), lines.filter((line) => line !== null).join('\n')].join('\n\n');
}
