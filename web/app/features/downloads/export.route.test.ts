import { expect, it } from 'vitest';
import { answerOf } from '../../../test/answers';
import { sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { formRequest } from '../../../test/forms';
import { memberCookie } from '../../../test/users';
import { TASK_ID } from '../../../test/wire';
import { action } from './export.route';

async function exportAfterEnd(accept: string) {
  const backend = await startBackend((_request, response) => sendProblem(response, 'users.not_authorized'));
  const context = contextFor(backend.url);
  const request = formRequest('/result/export', { taskId: TASK_ID }, await memberCookie(context), accept);
  const response = await answerOf(action, { request, context, params: {} });
  return { response, cookies: context.cookies };
}

it('leaves an ended session to the page of a script, which starts the login', async () => {
  const { response, cookies } = await exportAfterEnd('application/json');
  expect(response.status).toBe(401);
  expect(cookies).toEqual([]);
});

it('starts the login of an ended session without a script', async () => {
  const { response } = await exportAfterEnd('text/html');
  expect(response.headers.get('location')).toBe('/login?returnTo=%2Fresult%2Fexport');
});
