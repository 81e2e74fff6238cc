import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { newGuestCookie } from '../../../test/users';
import { output, TASK_ID, task } from '../../../test/wire';
import { readTaskToBuy } from '../plans/task-to-buy.server';
import { photoOf as viewOf } from './checkout.server';

const DISPLAY = {
  url: 'http://api.test/media/display',
  medium_url: null,
  thumbnail_url: 'http://api.test/media/thumbnail',
  width: 1024,
  height: 768,
};

async function photoOf(outputs: readonly unknown[] | null) {
  const backend = await startBackend((request, response) => {
    if (request.method === 'POST') return sendJson(response, 201, { access_token: 'guest' });
    return outputs ? sendJson(response, 200, task({ result: { outputs } })) : sendProblem(response, 'tasks.not_found');
  });
  const context = contextFor(backend.url);
  const request = new Request('http://clearframe.test/checkout', {
    headers: { cookie: await newGuestCookie(context) },
  });
  const found = await readTaskToBuy(TASK_ID, { request, context });
  return found && viewOf(found, context);
}

test('an order shows the newest result that is no preview', async () => {
  const preview = output({ id: randomUUID(), is_preview: true, display: DISPLAY, width: 640, height: 480 });
  const paid = output({ display: DISPLAY, width: 2048, height: 1536 });
  expect(await photoOf([preview, paid])).toMatchObject({
    display: { width: 1024, height: 768 },
    size: { width: 2048, height: 1536 },
  });
});

test.each([
  ['that is not the visitor’s', null],
  ['without a display file', [output({ display: null })]],
  ['with previews only', [output({ is_preview: true, display: DISPLAY })]],
])('an order for a photo %s is shown without it', async (_case, outputs) => {
  expect(await photoOf(outputs)).toBeNull();
});
