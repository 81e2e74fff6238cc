import type { ErrorCode } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { answerOf } from '../../../test/answers';
import { sendJson, sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { newGuestCookie } from '../../../test/users';
import { TASK_ID } from '../../../test/wire';
import { action } from './looks.route';

async function answerTo(refusal: ErrorCode): Promise<Response> {
  const backend = await startBackend((request, response) => {
    if (request.url?.endsWith('/users')) return sendJson(response, 201, { access_token: 'token' });
    return sendProblem(response, refusal);
  });
  const context = contextFor(backend.url);
  const cookie = await newGuestCookie(context);
  const request = new Request(`http://clearframe.test/tasks/${TASK_ID}/looks`, { method: 'POST', headers: { cookie } });
  return answerOf(action, { request, context, params: { taskId: TASK_ID } });
}

it.each<ErrorCode>(['tasks.not_found', 'tasks.wrong_state', 'users.not_authorized'])(
  'looks stay pending on %s, which passes when a login or a run ends',
  async (code) => {
    const answer = await answerTo(code);
    expect([answer.status, await answer.json()]).toEqual([200, { isPending: true, urls: {} }]);
  },
);

it('other errors are passed on', async () => expect((await answerTo('queue.full')).status).toBe(503));
