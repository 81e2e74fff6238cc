import { expect, test } from 'vitest';
import { sendProblem, startBackend, unusedAddress } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { answerSandbox } from './sandbox.server';

/** Sends the form from the popup. */
async function answerInWindow(apiUrl: URL): Promise<unknown> {
  const body = new URLSearchParams({ provider: 'google', email: 'ada@example.com' }).toString();
  const request = new Request('http://clearframe.test/sandbox/identity?provider=google&display=popup', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) },
    body,
  });
  const answer = await answerSandbox({ request, context: contextFor(apiUrl), params: {} });
  return answer instanceof Response ? answer.json() : answer.data;
}

test('a backend that can’t be reached is replied to the page behind the window, which closes it', async () => {
  expect(await answerInWindow(await unusedAddress())).toMatchObject({
    reply: { kind: 'failure', code: 'auth/network-request-failed' },
    problem: null,
  });
});

test('a refusal that the visitor can mend is said in the window', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'request.invalid'));
  expect(await answerInWindow(backend.url)).toMatchObject({ reply: null, problem: { code: 'request.invalid' } });
});
