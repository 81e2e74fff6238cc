import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { submitByMail } from './by-mail.server';

async function submit(fields: Record<string, string>, backend: Awaited<ReturnType<typeof startBackend>>) {
  const body = new URLSearchParams(fields).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  };
  const request = new Request('http://clearframe.test/subscription/cancel', { method: 'POST', headers, body });
  const answer = await submitByMail('cancel')({ request, context: contextFor(backend.url), params: {} });
  return { status: answer.init?.status, step: answer.data.step };
}

test.each([
  ['an invalid address', { email: 'nowhere@' }, 'email'],
  ['no address', { email: '' }, 'email'],
  ['an empty code', { email: 'ada@example.com', code: ' ' }, 'code'],
] as const)('%s is an error of its field, without an API call', async (_case, fields, field) => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'service.unavailable'));
  const { status, step } = await submit(fields, backend);
  expect(status).toBe(422);
  expect(step).toMatchObject({
    kind: field,
    problem: null,
    result: { status: 'error', error: { [field]: [expect.any(String)] } },
  });
  expect(backend.requests).toEqual([]);
});

test('a wrong code is an error of the code field', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'billing.code_invalid'));
  const { step } = await submit({ email: 'ada@example.com', code: 'wrong' }, backend);
  expect(step).toMatchObject({
    kind: 'code',
    email: 'ada@example.com',
    problem: null,
    result: { error: { code: ['billing.code_invalid'] } },
  });
});

test('a valid address is trimmed and leads to the code', async () => {
  const backend = await startBackend((_request, response) => sendJson(response, 202, {}));
  const { step } = await submit({ email: ' ada@example.com ' }, backend);
  expect(backend.requests).toHaveLength(1);
  expect(step).toMatchObject({ email: 'ada@example.com', result: null });
});

test('a form rejected by the API keeps its values', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'service.unavailable'));
  const { step } = await submit({ email: 'ada@example.com', code: 'abc' }, backend);
  expect(step).toMatchObject({
    kind: 'code',
    problem: { code: 'service.unavailable' },
    result: { initialValue: { code: 'abc' } },
  });
});
