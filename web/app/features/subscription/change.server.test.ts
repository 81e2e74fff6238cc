import { expect, test } from 'vitest';
import { sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { memberCookie } from '../../../test/users';
import { cancelAddress } from './cancel-address';
import { cancel } from './change.server';

const ADDRESS = cancelAddress({ provider: 'stripe', subscriptionId: 'sub_1' });

async function cancelWith(backend: Awaited<ReturnType<typeof startBackend>>) {
  const context = contextFor(backend.url);
  const headers = { cookie: await memberCookie(context) };
  const request = new Request(`http://clearframe.test${ADDRESS}`, { method: 'POST', headers });
  return cancel({ request, context, params: {} });
}

test.each(['service.unavailable', 'request.rate_limited'] as const)(
  'a cancellation that fails with %s is answered by its question with the reason',
  async (code) => {
    const backend = await startBackend((_request, response) => sendProblem(response, code));
    const answer = await cancelWith(backend);
    expect(answer.data.problem).toMatchObject({ code });
    expect(answer.init?.status).toBeGreaterThanOrEqual(400);
    expect(backend.requests.map(({ method, path }) => `${method} ${path.split('/').slice(-2).join('/')}`)).toContain(
      'DELETE stripe/subscriptions?subscription_id=sub_1',
    );
  },
);

test('a subscription that is already cancelled leads to its tab', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'subscriptions.not_found'));
  const thrown = await cancelWith(backend).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Response);
  expect((thrown as Response).headers.get('location')).toBe('/account/subscription');
});
