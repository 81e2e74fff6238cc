import { FALLBACK_LOCALE, type Locale, languageTagOf } from '@clearframe/contract';
import { Inject, Injectable } from '@nestjs/common';
import { IntlMessageFormat } from 'intl-messageformat';
import { MailConfig } from './mail.config.js';
import { type Block, type MailContent, type Row, textOf } from './mail-content.js';
import { htmlOf } from './mail-html.js';
import { MAIL_LAYOUTS, type MailKind, MailTexts } from './mail-kinds.js';

/** Values by their names in the message. */
export type MailValues = Readonly<Record<string, string | number>>;

export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Part of a formatted message: `<copy>` around a code, or a link named like its value, for instance `<url>…</url>`. */
interface Tag {
  readonly name: string;
  readonly content: string;
}
type Part = string | Tag;

const COPY = 'copy';
const PARAGRAPHS = '\n\n';
const TRAILING_COLON = /[\s:：]+$/u;

@Injectable()
export class MailComposer {
  constructor(
    private readonly texts: MailTexts,
    @Inject(MailConfig) private readonly site: Pick<MailConfig, 'publicUrl' | 'postalAddress'>,
  ) {}

  compose(kind: MailKind, language: Locale | null, values: MailValues): ComposedMail {
    const content = this.contentOf(kind, language ?? FALLBACK_LOCALE, values);
    return { subject: content.subject, text: textOf(content), html: htmlOf(content, this.site.publicUrl) };
  }

  private contentOf(kind: MailKind, locale: Locale, values: MailValues): MailContent {
    const { mail, mailLayout } = this.texts.of(locale);
    const { reason, figure, rows } = MAIL_LAYOUTS[kind];
    const text = (message: string, more: MailValues = {}): string => partsOf(message, locale, more).join('');
    const [first, ...rest] = paragraphsOf(partsOf(mail[kind].body, locale, values)).map((parts) =>
      blockOf(parts, values),
    );
    const table = rows?.map(([name, value]): Row => {
      const row = { label: text(mailLayout.rows[name]), value: String(values[value]) };
      return { ...row, line: text(mailLayout.row, row) };
    });
    const blocks = [...(first ? [first] : []), ...(table ? [{ type: 'rows' as const, rows: table }] : []), ...rest];
    return {
      locale,
      subject: text(mail[kind].subject, values),
      figure: figure === undefined ? null : String(values[figure]),
      blocks: withOneButton(blocks),
      footer: {
        reason: text(mailLayout.footer[reason]),
        help: this.helpOf(partsOf(mailLayout.footer.help, locale, {})),
        postalAddress: this.site.postalAddress,
      },
    };
  }

  private helpOf(parts: readonly Part[]): MailContent['footer']['help'] {
    const at = parts.findIndex((part) => typeof part === 'object');
    const label = parts[at] as Tag | undefined;
    return {
      before: parts.slice(0, at).join(''),
      label: label?.content ?? '',
      after: parts.slice(at + 1).join(''),
      url: `${this.site.publicUrl}/help/contact`,
    };
  }
}

function partsOf(message: string, locale: Locale, values: MailValues): Part[] {
  const format = new IntlMessageFormat(message, languageTagOf(locale));
  const tags = [...message.matchAll(/<(\w+)>/g)].map(([, name = '']) => name);
  const handlers = tags.map((name) => [name, (chunks: readonly string[]): Tag => ({ name, content: chunks.join('') })]);
  const formatted = format.format<Tag>({ ...values, ...Object.fromEntries(handlers) });
  return Array.isArray(formatted) ? formatted : [formatted as Part];
}

function paragraphsOf(parts: readonly Part[]): Part[][] {
  const paragraphs: Part[][] = [[]];
  for (const part of parts) {
    if (typeof part === 'object') paragraphs.at(-1)?.push(part);
    else {
      const [head = '', ...rest] = part.split(PARAGRAPHS);
      if (head) paragraphs.at(-1)?.push(head);
      paragraphs.push(...rest.map((text) => (text ? [text] : [])));
    }
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0);
}

function blockOf(parts: readonly Part[], values: MailValues): Block {
  const tag = parts.find((part) => typeof part === 'object');
  if (!tag) return { type: 'paragraph', text: parts.join('') };
  if (tag.name !== COPY) return { type: 'link', label: tag.content, url: String(values[tag.name]) };
  const label = parts.filter((part) => typeof part === 'string').join('');
  const line = parts.map((part) => (typeof part === 'string' ? part : part.content)).join('');
  return { type: 'code', label: label.replace(TRAILING_COLON, ''), code: tag.content, line };
}

function withOneButton(blocks: readonly Block[]): Block[] {
  const first = blocks.find(({ type }) => type === 'link');
  return blocks.map((block) => (block === first && block.type === 'link' ? { ...block, type: 'button' } : block));
}
