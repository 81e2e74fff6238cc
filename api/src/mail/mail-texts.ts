import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FALLBACK_LOCALE, type Locale } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { MAIL_LAYOUTS, type MailKind, type RowLabel } from './mail-kinds.js';

/** Messages in ICU format. */
export interface Texts {
  /** Paragraphs are separated by empty lines; tags are explained in `mail-composer.ts`. */
  readonly mail: Readonly<Record<MailKind, { readonly subject: string; readonly body: string }>>;
  readonly mailLayout: {
    readonly row: string;
    readonly rows: Readonly<Record<RowLabel, string>>;
    readonly footer: Readonly<Record<'requested' | 'payment' | 'subscription' | 'help', string>>;
  };
}

/** The same depth in `src` and `dist`. */
const FOLDER = new URL('../../../locales/', import.meta.url);

function read(language: Locale): Texts {
  const file = fileURLToPath(new URL(`${language}/account.json`, FOLDER));
  const { mail, mailLayout } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Texts>;
  if (!mail || !mailLayout) throw new Error(`${language}/account.json has no texts of mails`);
  for (const kind of Object.keys(MAIL_LAYOUTS) as MailKind[]) {
    if (!mail[kind]) throw new Error(`${language}/account.json has no text for the mail ${kind}`);
  }
  return { mail, mailLayout };
}

@Injectable()
export class MailTexts {
  private readonly texts = new Map<Locale, Texts>([[FALLBACK_LOCALE, read(FALLBACK_LOCALE)]]);

  of(language: Locale): Texts {
    const texts = this.texts.get(language) ?? read(language);
    this.texts.set(language, texts);
    return texts;
  }
}
