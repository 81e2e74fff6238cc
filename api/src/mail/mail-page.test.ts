import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';
import { Mailer } from './mailer.js';

const PATH = '/api/sandbox/mail';
const DOCUMENTS = '/api/sandbox/pages/mail';
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

async function deliver(to: string, language: 'en' | 'ar' = 'en'): Promise<string> {
  const key = newEmail();
  await api.app.get(Mailer).send(api.app.get(DataSource).manager, {
    key,
    userId: null,
    to,
    kind: 'cancelCode',
    language,
    values: { code: 'ABC-123', minutes: 30 },
  });
  const [row] = await api.sql<{ id: string }>('SELECT id FROM mail_messages WHERE idempotency_key = $1', [key]);
  await until(async () => {
    const { body } = await api.http.get(PATH).query({ to }).expect(200);
    return body.data.some(({ id }: { id: string }) => id === row?.id);
  }, 'the message');
  return row?.id ?? '';
}
const page = (query: object) => api.http.get(PATH).set('accept', 'text/html').query(query);

it('a browser gets the messages and the newest one in a frame without scripts', async () => {
  const to = newEmail();
  const [first, last] = [await deliver(to), await deliver(to, 'ar')];
  const { text, headers } = await page({ to }).expect(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['content-security-policy']).not.toContain('script');
  expect(text).toContain(`src="${DOCUMENTS}/${last}"`);
  expect(text).not.toContain(`src="${DOCUMENTS}/${first}"`);
  for (const id of [first, last]) expect(text).toContain(`message=${id}`);
  expect(text).toContain('<dd>ar</dd>');
});

it('shows a chosen message, its text, and both widths', async () => {
  const to = newEmail();
  const [first] = [await deliver(to), await deliver(to, 'ar')];
  const { text: phone } = await page({ to, message: first, width: 390 }).expect(200);
  expect(phone).toContain(`<iframe class="w390"`);
  expect(phone).toContain(`src="${DOCUMENTS}/${first}"`);
  const { text } = await page({ to, message: first, view: 'text' }).expect(200);
  expect(text).toMatch(/<pre dir="auto" lang="en">Your code: ABC-123\n/);
  expect(text).not.toContain('<iframe');
});

it('a framed message can be framed here only, and load pictures of the product only', async () => {
  const id = await deliver(newEmail());
  const { text, headers } = await api.http.get(`${DOCUMENTS}/${id}`).expect(200);
  expect(text).toMatch(/^<!doctype html><html dir="ltr" lang="en">/);
  const policy = headers['content-security-policy'] ?? '';
  for (const directive of ["default-src 'none'", `img-src ${api.url}`, "frame-ancestors 'self'", 'sandbox ']) {
    expect(policy).toContain(directive);
  }
  expect(policy).not.toContain('allow-scripts');
});

it('pages through the messages, and shows an empty mailbox', async () => {
  const to = newEmail();
  for (let sent = 0; sent < 2; sent++) await deliver(to);
  const { text } = await page({ to, limit: 1 }).expect(200);
  const [, after = ''] = /starting_after=([\w-]+)/.exec(text) ?? [];
  expect((await page({ to, limit: 1, starting_after: after }).expect(200)).text).not.toContain('Older messages');
  expect((await page({ to: newEmail() }).expect(200)).text).toContain('No messages.');
  expect((await page({ to: '' }).expect(200)).text).toContain(to);
});

it('names unknown messages and invalid choices', async () => {
  await api.http.get(`${DOCUMENTS}/${crypto.randomUUID()}`).expect(404);
  await page({ starting_after: crypto.randomUUID() }).expect(404);
  const { body } = await page({ width: 17 }).expect(422);
  expect(Object.keys(body.details)).toEqual(['width']);
});
