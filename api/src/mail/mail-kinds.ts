import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FALLBACK_LOCALE, type Locale } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';

export type RowLabel =
  | 'item'
  | 'amount'
  | 'date'
  | 'number'
  | 'plan'
  | 'chargeDate'
  | 'chargeAmount'
  | 'oldAmount'
  | 'newAmount'
  | 'startDate'
  | 'refund';

interface MailLayout {
  readonly reason: 'requested' | 'payment' | 'subscription' | 'account' | 'api';
  readonly figure?: string;
  readonly rows?: readonly (readonly [label: RowLabel, value: string])[];
}

const RECEIPT: MailLayout = {
  reason: 'payment',
  figure: 'amount',
  rows: [
    ['item', 'what'],
    ['amount', 'amount'],
    ['date', 'date'],
    ['number', 'number'],
  ],
};

const REFUND: MailLayout = {
  reason: 'payment',
  rows: [
    ['item', 'what'],
    ['refund', 'amount'],
    ['number', 'number'],
  ],
};

const NEXT_CHARGE: MailLayout = {
  reason: 'subscription',
  rows: [
    ['plan', 'plan'],
    ['chargeDate', 'date'],
    ['chargeAmount', 'amount'],
  ],
};

const LAYOUTS = {
  cancelCode: { reason: 'requested' },
  portalCode: { reason: 'requested' },
  walletPortal: { reason: 'requested' },
  receipt: RECEIPT,
  pictureReceipt: RECEIPT,
  paidTwice: REFUND,
  undelivered: REFUND,
  approvalRefused: { reason: 'payment' },
  trialStarted: NEXT_CHARGE,
  trialReminder: NEXT_CHARGE,
  renewalNotice: NEXT_CHARGE,
  priceChange: {
    reason: 'subscription',
    rows: [
      ['plan', 'plan'],
      ['oldAmount', 'oldAmount'],
      ['newAmount', 'newAmount'],
      ['startDate', 'date'],
    ],
  },
  paymentFailed: { reason: 'subscription' },
  cancelled: { reason: 'subscription' },
  ended: { reason: 'subscription' },
  planChanged: { reason: 'subscription' },
  planChangedRefund: {
    reason: 'subscription',
    rows: [
      ['plan', 'plan'],
      ['refund', 'amount'],
      ['number', 'number'],
    ],
  },
  webhookDisabled: { reason: 'account' },
  usageWarning: { reason: 'api' },
  usageExhausted: { reason: 'api' },
} satisfies Record<string, MailLayout>;

export type MailKind = keyof typeof LAYOUTS;
export const MAIL_LAYOUTS: Readonly<Record<MailKind, MailLayout>> = LAYOUTS;

/** Bodies with a live credential: stored encrypted, left out of data exports, deleted once sent to a server. */
export const SECRET_MAIL_KINDS: ReadonlySet<MailKind> = new Set(['cancelCode', 'portalCode', 'pictureReceipt']);

/** Messages in ICU format. */
interface Texts {
  /** Paragraphs are separated by empty lines; tags are explained in `mail-composer.ts`. */
  readonly mail: Readonly<Record<MailKind, { readonly subject: string; readonly body: string }>>;
  readonly mailLayout: {
    readonly row: string;
    readonly rows: Readonly<Record<RowLabel, string>>;
    readonly footer: Readonly<Record<MailLayout['reason'] | 'help', string>>;
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
