import { expect, it } from 'vitest';
import { sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { formRequest } from '../../../test/forms';
import { memberCookie } from '../../../test/users';
import { TASK_ID } from '../../../test/wire';
import { action } from './export.route';

async function exportAfterEnd(fields: Record<string, string>): Promise<Response> {
  const backend = await startBackend((_request, response) => sendProblem(response, 'users.not_authorized'));
  const context = contextFor(backend.url);
  const request = formRequest('/result/export', { taskId: TASK_ID, ...fields }, await memberCookie(context));
  return action({ request, context, params: {} });
}

it('leaves an ended session to the page of a script, which starts the login', async () => {
  const response = await exportAfterEnd({ byScript: 'yes' });
  expect(response.status).toBe(401);
  expect(response.headers.getSetCookie()).toEqual([]);
});

it('starts the login of an ended session without a script', async () => {
  const response = await exportAfterEnd({});
  expect(response.headers.get('location')).toBe('/login?returnTo=%2Fresult%2Fexport');
});
