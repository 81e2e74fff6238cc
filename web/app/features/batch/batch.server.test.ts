import type { ErrorCode } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { answerOf } from '../../../test/answers';
import { sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { memberCookie } from '../../../test/users';
import { BULK_UPLOAD_ID } from '../../../test/wire';
import { loadBatchData } from './batch.server';

async function pollOfMember(problem: ErrorCode) {
  const backend = await startBackend((_request, response) => sendProblem(response, problem));
  const context = contextFor(backend.url);
  const headers = { accept: 'application/json', cookie: await memberCookie(context) };
  const request = new Request('http://clearframe.test/', { headers });
  const { status } = await answerOf(loadBatchData, { request, context, params: { bulkUploadId: BULK_UPLOAD_ID } });
  return { status, cookies: context.cookies };
}

it('leaves an ended session to the page, which starts the login', async () => {
  const response = await pollOfMember('users.not_authorized');
  expect(response.status).toBe(401);
  expect(response.cookies).toEqual([]);
});

it('is no reason to leave the page when the API is overloaded', async () => {
  expect((await pollOfMember('service.unavailable')).status).toBe(503);
});
