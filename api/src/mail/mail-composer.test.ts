import { directionOf, LOCALES, type Locale, languageTagOf } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { MailComposer } from './mail-composer.js';
import { MAIL_LAYOUTS, type MailKind, MailTexts } from './mail-kinds.js';

const PUBLIC_URL = 'https://clearframe.example';
const composer = new MailComposer(new MailTexts(), {
  publicUrl: PUBLIC_URL,
  postalAddress: '1 Main Street, Springfield',
});

const VALUES = {
  code: 'kX4f-9sQ_ZrT8uWmB2cD1e',
  minutes: 60,
  amount: '$25.99',
  oldAmount: '$9.99',
  newAmount: '$11.99',
  what: 'Clearframe: 3 downloads',
  plan: 'Clearframe Personal (Monthly)',
  oldPlan: 'Clearframe Personal (Weekly)',
  date: 'November 23, 2026',
  until: 'December 23, 2026',
  number: 'CF-2026-000042',
  isRefunded: 'yes',
  address: 'hooks.example/clearframe',
  reason: 'gone',
  key: 'Web shop',
  used: 800,
  allowed: 1000,
  url: `${PUBLIC_URL}/account/subscription`,
  walletUrl: 'https://wallet.example/payments?a=1&b=2',
  cancelUrl: `${PUBLIC_URL}/subscription/cancel`,
};
const KINDS = Object.keys(MAIL_LAYOUTS) as MailKind[];
const compose = (kind: MailKind, locale: Locale, change: Partial<typeof VALUES> = {}) =>
  composer.compose(kind, locale, { ...VALUES, ...change });
const linksIn = (html: string): string[] =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'));
const count = (text: string, part: string): number => text.split(part).length - 1;

describe.each(LOCALES)('mail in %s', (locale) => {
  it.each(KINDS)('%s is complete as HTML and as text', (kind) => {
    const { subject, text, html } = compose(kind, locale);
    expect(html).toContain(`<html dir="${directionOf(locale)}" lang="${languageTagOf(locale)}">`);
    expect(count(html, '</h1>')).toBe(1);
    expect(count(html, 'class="button"')).toBeLessThanOrEqual(1);
    for (const part of [subject, text, html.replace(/<style>.*?<\/style>/s, '')]) {
      expect(part).not.toMatch(/undefined|\[object|[{}]/);
    }
    expect(text).not.toMatch(/<|>/);
    for (const url of linksIn(html).filter((link) => link !== PUBLIC_URL)) expect(text).toContain(url);
    for (const [, value] of MAIL_LAYOUTS[kind].rows ?? []) {
      expect(text).toContain(VALUES[value as keyof typeof VALUES]);
      expect(html).toContain(VALUES[value as keyof typeof VALUES]);
    }
    expect(text).toContain(`${PUBLIC_URL}/help/contact`);
    expect(text).toContain('1 Main Street');
    // The number of the house stays before the street in Arabic.
    expect(html).toContain('<bdi>1 Main Street');
  });
});

it('a code ends its line of the text and stands alone in the HTML, to be copied', () => {
  for (const locale of LOCALES) {
    const { text, html } = compose('cancelCode', locale);
    expect(text).toMatch(new RegExp(`(^|[\\s:：])${VALUES.code}$`, 'm'));
    expect(html).toContain(`>${VALUES.code}</p>`);
  }
});

it('the first link is the button, the others are links', () => {
  const { html } = compose('walletPortal', 'en');
  expect(html).toMatch(/<a href="https:\/\/wallet\.example\/payments\?a=1&amp;b=2" class="button"/);
  expect(html).toMatch(new RegExp(`<a href="${VALUES.cancelUrl}" class="link"`));
});

it('a receipt shows the amount in large figures and its table below the first sentence', () => {
  const { html, text } = compose('receipt', 'de');
  expect(html.indexOf('<bdi>$25.99</bdi>')).toBeLessThan(html.lastIndexOf('Danke für deine Zahlung'));
  expect(text).toMatch(/^Danke für deine Zahlung.*\n\nArtikel: Clearframe: 3 downloads\nBezahlt: \$25\.99\n/);
});

it('values are text, in the HTML too', () => {
  const { html } = compose('receipt', 'en', { what: '<img src=x onerror=alert(1)>{code}' });
  expect(html).not.toContain('<img src=x');
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;{code}');
});

it('HTML loads nothing but the icon', () => {
  const { html } = compose('receipt', 'en');
  expect([...html.matchAll(/(?:src|url)[=(]"?([^")]+)/g)].map(([, url]) => url)).toEqual([
    `${PUBLIC_URL}/icon-192.png`,
  ]);
  expect(html).not.toMatch(/<script|<link/);
});
