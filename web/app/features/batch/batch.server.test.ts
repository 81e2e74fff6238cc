import { ARCHIVE_PART, type ErrorCode, toWire, User } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { answerOf } from '../../../test/answers';
import { sendJson, sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { ADA, memberCookie } from '../../../test/users';
import { BULK_UPLOAD_ID, bulkUpload, task } from '../../../test/wire';
import { loadBatchData } from './batch.server';

const PARTS = [1, 2].map((part) => ({
  part,
  file_name: `clearframe-${part}.zip`,
  pictures: 3,
  size_bytes: 9_000_000,
  url: `https://clearframe.test/${part}`,
}));

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

it.each<[string, (typeof PARTS)[number][] | ErrorCode, number, number]>([
  ['the parts of a download that is too large for one', PARTS, ARCHIVE_PART.maxPictures + 1, 2],
  ['none of a download that has place in one', PARTS.slice(0, 1), ARCHIVE_PART.maxPictures + 1, 0],
  ['none while a file is encoded', 'service.unavailable', ARCHIVE_PART.maxPictures + 1, 0],
  ['none without asking for a batch of the page', 'service.internal', 15, 0],
])('shows %s', async (_what, answer, photos, expected) => {
  const tasks = Array.from({ length: photos }, () => task({ status: 'completed' }));
  const backend = await startBackend(({ url = '' }, response) => {
    if (url.includes('/users/')) return sendJson(response, 200, toWire(User, ADA));
    if (!url.endsWith('/archive/parts')) return sendJson(response, 200, { ...bulkUpload(), task_list: tasks });
    return typeof answer === 'string' ? sendProblem(response, answer) : sendJson(response, 200, { data: answer });
  });
  const context = contextFor(backend.url);
  const request = new Request('http://clearframe.test/', { headers: { cookie: await memberCookie(context) } });
  const shown = await answerOf(loadBatchData, { request, context, params: { bulkUploadId: BULK_UPLOAD_ID } });
  expect((await shown.json()).parts).toMatchObject(PARTS.slice(0, expected).map(({ part }) => ({ part })));
});
