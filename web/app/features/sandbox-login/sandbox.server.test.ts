import { expect, test } from 'vitest';
import { sendProblem, startBackend, unusedAddress } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { sandboxAction } from './sandbox.server';

async function submitInPopup(apiUrl: URL): Promise<unknown> {
  const body = new URLSearchParams({ provider: 'google', email: 'ada@example.com' }).toString();
  const request = new Request('http://clearframe.test/sandbox/identity?provider=google&display=popup', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) },
    body,
  });
  const answer = await sandboxAction({ request, context: contextFor(apiUrl), params: {} });
  return answer instanceof Response ? answer.json() : answer.data;
}

test('an unreachable API is reported to the popup’s opener, which closes it', async () => {
  expect(await submitInPopup(await unusedAddress())).toMatchObject({
    reply: { kind: 'failure', code: 'auth/network-request-failed' },
    problem: null,
  });
});

test('an error that the visitor can correct is shown in the popup', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'request.invalid'));
  expect(await submitInPopup(backend.url)).toMatchObject({ reply: null, problem: { code: 'request.invalid' } });
});
