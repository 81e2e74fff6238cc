import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../../test/backend';
import { contextFor } from '../../../../test/context';
import { ADA } from '../../../../test/users';
import { consumeFlash } from '../../../session/flash/flash.server';
import { startMemberSession } from '../../../session/visitor.server';
import { handlePaymentReturn } from './return.server';

const TASK_ID = randomUUID();
const RETURN = `http://clearframe.test/checkout/return?redirect_status=succeeded&payment_intent=pi_1&taskId=${TASK_ID}`;

const cookiesIn = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

/** @returns the next address with its flash message */
async function arriveWith(answer: Parameters<typeof startBackend>[0]) {
  const context = contextFor((await startBackend(answer)).url);
  const session = new Headers();
  await startMemberSession('token', ADA, { request: new Request(RETURN), context, headers: session });
  const request = new Request(RETURN, { headers: { cookie: cookiesIn(session) } });
  const { headers } = await handlePaymentReturn({ request, context, params: {} });
  const next = new Request(RETURN, { headers: { cookie: cookiesIn(headers) } });
  return [
    headers.get('location'),
    (await consumeFlash({ request: next, headers: new Headers(), context }))?.message ?? null,
  ];
}

test('a payment leads to its photo', async () => {
  const arrived = await arriveWith((_request, response) =>
    sendJson(response, 200, { status: 'succeeded', available_credits: 1 }),
  );
  expect(arrived).toEqual([`/result?taskId=${TASK_ID}`, 'paid']);
});

test('the second payment leads there too, and says that it is refunded', async () => {
  const arrived = await arriveWith((_request, response) => sendProblem(response, 'payments.duplicate'));
  expect(arrived).toEqual([`/result?taskId=${TASK_ID}`, 'paidTwice']);
});

test('a payment of another order leads back to the plans with the problem', async () => {
  const arrived = await arriveWith((_request, response) => sendProblem(response, 'payments.mismatch'));
  expect(arrived).toEqual(['/upgrade', null]);
});
