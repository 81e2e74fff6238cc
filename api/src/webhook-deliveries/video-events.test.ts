import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyClient } from '../../test/support/key-client.js';
import { runScheduled } from '../../test/support/scheduled.js';
import {
  finishVideo,
  processVideo,
  startVideo,
  uploadVideo,
  useVideosFixture,
  videoOf,
  waitForVideo,
} from '../../test/support/videos-fixture.js';
import { idOf, type Received, verify, WebhookReceiver } from '../../test/support/webhook-receiver.js';

const fixture = useVideosFixture();
let receiver: WebhookReceiver;
let secret: string;
beforeEach(async () => {
  receiver = await new WebhookReceiver().start();
  const { body } = await fixture.business.post('/webhook-endpoints', { url: receiver.url }).expect(201);
  secret = body.secret;
});
afterEach(() => receiver.stop());

const only = async (type: string): Promise<Received> => {
  const [message] = await receiver.of(type);
  if (!message) throw new Error('nothing received');
  expect(verify(secret, message)).toEqual(message.event);
  return message;
};
/** Includes what would be sent although no test waits for it. */
const allTypes = async (): Promise<string[]> => {
  await runScheduled(fixture.api, 'webhooks.');
  return receiver.received.map(({ event }) => event.type);
};

describe('the end of a video', () => {
  it('is sent with the video as GET answers, and with addresses that are valid', async () => {
    const id = await finishVideo(fixture.business, fixture.worker);
    const { data } = (await only('video.completed')).event;
    expect(Object.keys(data).sort()).toEqual(Object.keys(await videoOf(fixture.business, id)).sort());
    expect(data).toMatchObject({ video_task_id: id, status: 'completed', error_code: null });
    expect((await fetch(data.result.output_url)).status).toBe(200);
    expect(await allTypes()).toEqual(['video.completed']);
  });

  it('is sent as a failure when its run fails, and as a success when a later run completes', async () => {
    const id = await startVideo(fixture.business);
    await fixture.worker.end(id, { kind: 'failed', errorCode: 'tasks.failed' });
    const failed = await only('video.failed');
    expect(failed.event.data).toMatchObject({ video_task_id: id, status: 'failed', error_code: 'videos.failed' });
    await processVideo(fixture.business, id).expect(202);
    await fixture.worker.end(id);
    expect(idOf(await only('video.completed'))).not.toBe(idOf(failed));
    expect(await allTypes()).toEqual(['video.failed', 'video.completed']);
  });

  it('is sent as a failure when its file can’t be read', async () => {
    fixture.worker.refusal = { kind: 'invalid', errorCode: 'uploads.undecodable' };
    const { video_task_id: id } = await uploadVideo(fixture.business);
    await processVideo(fixture.business, id).expect(422);
    expect((await only('video.failed')).event.data).toMatchObject({
      video_task_id: id,
      status: 'invalid',
      error_code: 'uploads.undecodable',
    });
  });

  it('is not sent when its owner cancels it', async () => {
    const id = await startVideo(fixture.business);
    await fixture.worker.waitForJob(id);
    await fixture.business.post(`/video-tasks/${id}/cancel`).expect(200);
    await waitForVideo(fixture.business, id, 'cancelled');
    expect(await allTypes()).toEqual([]);
  });

  it('is sent to the address of its request, beside the endpoints and signed with the secret of callbacks', async () => {
    const callback = await new WebhookReceiver().start();
    try {
      const client = await KeyClient.of(fixture.api, fixture.business);
      const { body } = await fixture.business.post('/webhook-callbacks/secret').expect(201);
      const request = { callback_url: callback.url };
      const { video_task_id: id } = await uploadVideo(fixture.business, request);
      await client.post(`/video-tasks/${id}/process`).expect(202);
      await fixture.worker.end(id);
      const [message] = await callback.of('video.completed');
      if (!message) throw new Error('nothing received');
      expect(verify(body.secret, message)).toEqual(message.event);
      expect(idOf(message)).toBe(idOf(await only('video.completed')));
      expect(() => verify(secret, message)).toThrow('No matching signature');
    } finally {
      await callback.stop();
    }
  });
});
