import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LOCALES, type Locale } from '@clearframe/contract';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { Customer } from '../../test/support/billing/customer.js';
import { newEmail } from '../../test/support/visitor.js';
import { invoicePdf, taxIn } from './invoice-pdf.js';
import { runsOf } from './invoice-text.js';

const SELLER = {
  SELLER_NAME: 'Clearframe ApS',
  SELLER_ADDRESS: 'Vesterbrogade 1, 1620 København',
  SELLER_TAX_ID: 'DK12345678',
  SELLER_TAX_PERCENT: '25',
};

let api: TestApi;
beforeAll(async () => {
  api = await startApi(SELLER);
});
afterAll(() => api.stop());

const textOf = async (pdf: Uint8Array): Promise<string> => {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
  return text.replace(/\s+/g, ' ');
};

const numberOf = async ({ visitor }: Customer): Promise<string> =>
  (await visitor.get('/receipts').expect(200)).body.data[0].number;

describe('an invoice', () => {
  it('names seller, buyer and VAT of a purchase, in the language of the account', async () => {
    const email = newEmail();
    const member = await Customer.member(api, { email });
    await member.confirm(await member.buy()).expect(200);
    const number = await numberOf(member);
    const { body, headers } = await member.visitor.get(`/invoices/${number}/pdf`).expect(200);
    expect(headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'no-store' });
    expect(headers['content-disposition']).toContain(`${number}.pdf`);
    const english = await textOf(body);
    for (const part of [`Invoice number`, number, ...Object.values(SELLER).slice(0, 1), '1620 København', email])
      expect(english).toContain(part);
    for (const part of ['VAT ID: DK12345678', '3 downloads', 'VAT (25%)', '$2.00', '$7.99', '$9.99'])
      expect(english).toContain(part);

    await api.sql(`UPDATE users SET language = 'de' WHERE id = $1`, [await member.userId()]);
    const german = await textOf((await member.visitor.get(`/invoices/${number}/pdf`).expect(200)).body);
    expect(german).toContain('Rechnungsnummer');
    expect(german).toContain('USt-IdNr.: DK12345678');
  });

  it('keeps the seller of the day of the charge', async () => {
    const member = await Customer.member(api);
    await member.subscribe();
    const number = await numberOf(member);
    const soldBy = { name: 'Old Seller GmbH', address: ['Berlin'], taxId: null, taxPercent: null };
    await api.sql('UPDATE receipts SET seller = $2 WHERE number = $1', [number, JSON.stringify(soldBy)]);
    const before = await textOf((await member.visitor.get(`/invoices/${number}/pdf`).expect(200)).body);
    expect(before).toContain('Old Seller GmbH');
    expect(before).not.toMatch(/VAT|Clearframe ApS/);
    // Charges before sellers were stored.
    await api.sql('UPDATE receipts SET seller = NULL WHERE number = $1', [number]);
    expect(await textOf((await member.visitor.get(`/invoices/${number}/pdf`).expect(200)).body)).toContain('VAT (25%)');
  });

  it("is not found under an unknown number, nor under another account's", async () => {
    const [payer, stranger] = [await Customer.member(api), await Customer.guest(api)];
    await payer.confirm(await payer.buy()).expect(200);
    const number = await numberOf(payer);
    for (const path of [`/invoices/${number}/pdf`, '/invoices/CF-2026-999999/pdf']) {
      const { body } = await stranger.visitor.get(path).expect(404);
      expect(body.error_code).toBe('payments.not_found');
    }
  });

  it('rounds VAT to a cent', () => {
    expect(taxIn(999, 25)).toBe(200);
    expect(taxIn(499, 19)).toBe(80);
    expect(taxIn(1, 5)).toBe(0);
  });
});

const { resolve } = createRequire(createRequire(import.meta.url).resolve('pdfkit'));
const { create } = await import(resolve('fontkit'));
const fonts = new Map(
  Object.entries({
    latin: 'noto-sans/400Regular/NotoSans_400Regular',
    arabic: 'noto-sans-arabic/400Regular/NotoSansArabic_400Regular',
    thai: 'noto-sans-thai/400Regular/NotoSansThai_400Regular',
    japanese: 'sawarabi-gothic/400Regular/SawarabiGothic_400Regular',
  }).map(([name, path]) => [
    name,
    create(readFileSync(createRequire(import.meta.url).resolve(`@expo-google-fonts/${path}.ttf`))),
  ]),
);

describe.each(LOCALES)('an invoice in %s', (language: Locale) => {
  it('is drawn with fonts that have all its letters', async () => {
    const { invoice } = JSON.parse(
      readFileSync(new URL(`../../../locales/${language}/account.json`, import.meta.url), 'utf8'),
    );
    for (const line of [...Object.values<string>(invoice), '9,99 € $9.99'])
      for (const { text, font } of runsOf(line, language === 'ar' ? 'rtl' : 'ltr'))
        for (const letter of text)
          expect(fonts.get(font).hasGlyphForCodePoint(letter.codePointAt(0)), `${letter} in ${font}`).toBe(true);
    const seller = { name: 'Clearframe ApS', address: ['København'], taxId: 'DK1', taxPercent: 25 };
    const charge = { number: 'CF-2026-000042', chargedAt: new Date(), seller, currency: 'eur' as const };
    const pdf = await invoicePdf(
      { ...charge, priceId: 'business_yearly_eur', amountCents: 52_099 },
      newEmail(),
      language,
    );
    expect((await textOf(pdf)).normalize('NFKC')).toContain('CF-2026-000042');
  });
});

it('lines with Arabic are in the order of the eye, and numbers stay as they are read', () => {
  const runs = runsOf('دُفع في 30 نوفمبر 2026.', 'rtl').flatMap(({ text }) => text.trim() || []);
  expect(runs).toEqual(['.', '2026', 'نوفمبر', '30', 'دُفع في']);
  expect(runsOf('1620 København', 'auto')).toEqual([{ text: '1620 København', font: 'latin' }]);
});
