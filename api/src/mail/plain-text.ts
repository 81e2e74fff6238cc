import type { Block, MailContent } from './mail-content.js';

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
