import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FALLBACK_LOCALE, type Locale, languageTagOf } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { IntlMessageFormat } from 'intl-messageformat';

/** Each has a subject and a body under `mail.{kind}` in `account.json`. */
const MAIL_KINDS = [
  'cancelCode',
  'portalCode',
  'receipt',
  'pictureReceipt',
  'trialReminder',
  'renewalNotice',
  'priceChange',
  'approvalRefused',
  'trialStarted',
  'paymentFailed',
  'cancelled',
  'ended',
  'planChanged',
  'planChangedRefund',
  'walletPortal',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Bodies with a live credential: stored encrypted, left out of data exports, deleted once sent to a server. */
export const SECRET_MAIL_KINDS: ReadonlySet<MailKind> = new Set(['cancelCode', 'portalCode', 'pictureReceipt']);

type Texts = Readonly<Record<MailKind, { readonly subject: string; readonly body: string }>>;

/** The same depth in `src` and `dist`. */
const FOLDER = new URL('../../../locales/', import.meta.url);

function read(language: Locale): Texts {
  const file = fileURLToPath(new URL(`${language}/account.json`, FOLDER));
  const { mail } = JSON.parse(readFileSync(file, 'utf8')) as { mail?: Texts };
  for (const kind of MAIL_KINDS) {
    if (!mail?.[kind]) throw new Error(`${language}/account.json has no text for the mail ${kind}`);
  }
  return mail as Texts;
}

/** @throws when a text is missing */
@Injectable()
export class MailTexts {
  private readonly texts = new Map<Locale, Texts>([[FALLBACK_LOCALE, read(FALLBACK_LOCALE)]]);

  render(
    kind: MailKind,
    language: Locale | null,
    values: Readonly<Record<string, string | number>>,
  ): { subject: string; body: string } {
    const locale = language ?? FALLBACK_LOCALE;
    const texts = this.of(locale)[kind];
    const format = (text: string) => String(new IntlMessageFormat(text, languageTagOf(locale)).format(values));
    return { subject: format(texts.subject), body: format(texts.body) };
  }

  private of(language: Locale): Texts {
    const texts = this.texts.get(language) ?? read(language);
    this.texts.set(language, texts);
    return texts;
  }
}
