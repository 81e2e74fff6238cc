import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { directionOf, formatMoney, type Locale, languageTagOf } from '@clearframe/contract';
import { IntlMessageFormat } from 'intl-messageformat';
import PDFDocument from 'pdfkit';
import { z } from 'zod';
import type { InvoicedCharge } from '../billing-mail/billing-mail.repository.js';
import { dateIn, nameOfPrice } from '../billing-mail/price-names.js';
import { type Line, LineWriter } from './invoice-text.js';

const Texts = z.object({
  title: z.string(),
  number: z.string(),
  date: z.string(),
  seller: z.string(),
  buyer: z.string(),
  taxId: z.string(),
  item: z.string(),
  amount: z.string(),
  net: z.string(),
  tax: z.string(),
  total: z.string(),
  paid: z.string(),
});
type Texts = z.infer<typeof Texts>;

/** The same depth in `src` and `dist`. */
const FOLDER = new URL('../../../locales/', import.meta.url);
const Account = z.object({ invoice: Texts });

function textsIn(language: Locale): Texts {
  const file = fileURLToPath(new URL(`${language}/account.json`, FOLDER));
  return Account.parse(JSON.parse(readFileSync(file, 'utf8'))).invoice;
}

/** Part of a gross amount, rounded to a cent. */
export const taxIn = (grossCents: number, percent: number): number =>
  Math.round((grossCents * percent) / (100 + percent));

const MARGIN = 56;
const MUTED = '#5b6270';
const RULE = '#d9dce2';

/** @param buyer address of the account; null for a guest's purchase */
export function invoicePdf(charge: InvoicedCharge, buyer: string | null, language: Locale): Promise<Buffer> {
  const { number, chargedAt, priceId, amountCents, currency, seller } = charge;
  const texts = textsIn(language);
  const tag = languageTagOf(language);
  const text = (message: string, values: Readonly<Record<string, string>>): string =>
    String(new IntlMessageFormat(message, tag).format(values));
  const money = (cents: number): string => formatMoney(cents, currency, tag);
  const date = dateIn(language, chargedAt);
  const title = `${texts.title} ${number}`;

  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: tag,
    displayTitle: true,
    info: { Title: title, Author: seller.name, CreationDate: chargedAt },
  });
  const right = document.page.width - MARGIN;
  const writer = new LineWriter(document, directionOf(language));
  const write = (line: Omit<Line, 'maxWidth'> & { readonly maxWidth?: number }): void =>
    writer.write({ maxWidth: 230, ...line });
  const rule = (y: number): void => {
    document.moveTo(MARGIN, y).lineTo(right, y).lineWidth(0.75).strokeColor(RULE).stroke();
  };
  const row = (y: number, label: string, value: string, isBold = false): void => {
    const shared = { y, size: isBold ? 12 : 10.5, isBold, ...(!isBold && { color: MUTED }) };
    write({ ...shared, text: label, x: MARGIN, maxWidth: 320 });
    write({ ...shared, text: value, x: right, atEnd: true, direction: 'ltr', maxWidth: 150 });
  };
  const column = (x: number, y: number, label: string, lines: readonly string[]): void => {
    write({ text: label, x, y, size: 9.5, color: MUTED });
    for (const [index, line] of lines.entries())
      write({ text: line, x, y: y + 17 + index * 15, size: 10.5, isBold: index === 0, direction: 'auto' });
  };

  write({ text: texts.title, x: MARGIN, y: 86, size: 26, isBold: true });
  write({ text: seller.name, x: right, y: 86, size: 12, isBold: true, atEnd: true, direction: 'auto' });
  column(MARGIN, 128, texts.number, [number]);
  column(MARGIN + 250, 128, texts.date, [date]);
  const taxId = seller.taxId ? [text(texts.taxId, { id: seller.taxId })] : [];
  const sellerLines = [seller.name, ...seller.address, ...taxId];
  column(MARGIN, 184, texts.seller, sellerLines);
  if (buyer) column(MARGIN + 250, 184, texts.buyer, [buyer]);

  let y = 240 + Math.max(2, sellerLines.length) * 15;
  row(y, texts.item, texts.amount);
  rule(y + 10);
  y += 32;
  write({ text: nameOfPrice(priceId, language), x: MARGIN, y, size: 11, maxWidth: 320 });
  write({ text: money(amountCents), x: right, y, size: 11, atEnd: true, direction: 'ltr', maxWidth: 150 });
  rule(y + 14);
  y += 36;
  if (seller.taxPercent !== null) {
    const taxCents = taxIn(amountCents, seller.taxPercent);
    const rate = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 }).format(
      seller.taxPercent / 100,
    );
    row(y, texts.net, money(amountCents - taxCents));
    row(y + 20, text(texts.tax, { rate }), money(taxCents));
    y += 48;
  }
  row(y, texts.total, money(amountCents), true);
  write({ text: text(texts.paid, { date }), x: MARGIN, y: y + 34, size: 10.5, color: MUTED, maxWidth: 480 });
  document.end();
  return buffer(document);
}
