import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend, withoutEvents } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { formRequest } from '../../../test/forms';
import { sendSurvey } from './contact-survey.server';

const ANSWERS = { name: 'Ada', email: 'ada@example.com', volume: 'more', company: 'Ada & Söhne', purpose: 'A museum' };

const send = (backend: { readonly url: URL }, fields: Record<string, string>) => {
  const request = formRequest('/pricing/contact', fields);
  return sendSurvey({ request, context: contextFor(backend.url), params: {} });
};

test('the answers reach support as a request', async () => {
  const bodies: unknown[] = [];
  const backend = await startBackend(async (request, response) => {
    bodies.push(JSON.parse((await request.toArray()).join('')));
    sendJson(response, 201, { ticket_id: '5f0f3b0e-7a0c-4a3e-9a55-0c6f0d0a0001' });
  });
  expect((await send(backend, ANSWERS)).data).toMatchObject({ sentTo: 'ada@example.com', problem: null });
  expect(backend.requests).toMatchObject([{ method: 'POST', path: '/api/v1/web/zendesk/tickets' }]);
  expect(bodies).toMatchObject([
    {
      ...{ name: 'Ada', email: 'ada@example.com', source: 'custom price', subject: 'Custom price: Ada & Söhne' },
      body: 'Photos a month: more than 10,000\nCompany: Ada & Söhne\nPurpose: A museum',
    },
  ]);
});

test('answers without an address are not sent, and a refusal keeps them', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'service.not_configured'));
  const { email: _email, ...unreachable } = ANSWERS;
  const invalid = await send(backend, unreachable);
  expect(invalid.init).toMatchObject({ status: 422 });
  expect(withoutEvents(backend.requests)).toEqual([]);
  const refused = await send(backend, ANSWERS);
  expect(refused.data).toMatchObject({
    sentTo: null,
    problem: { code: 'service.not_configured' },
    result: { initialValue: { company: 'Ada & Söhne' } },
  });
});
