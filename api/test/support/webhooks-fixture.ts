import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startApi, type TestApi } from './application.js';
import { KeyClient } from './key-client.js';
import { picture } from './pictures.js';
import type { Announced, Visitor } from './visitor.js';
import { put } from './visitor.js';
import { WebhookReceiver } from './webhook-receiver.js';
import { ManualWorker } from './workers/manual-worker.js';

export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

/** A new owner with a key, and a customer's server, for each test. */
export function useWebhooks() {
  let api: TestApi;
  let worker: ManualWorker;
  let owner: Visitor;
  let client: KeyClient;
  let receiver: WebhookReceiver;
  const receivers: WebhookReceiver[] = [];
  const newReceiver = async () => {
    const one = await new WebhookReceiver().start();
    receivers.push(one);
    return one;
  };
  beforeAll(async () => {
    api = await startApi();
    worker = new ManualWorker(api);
    await worker.start();
  });
  afterAll(async () => {
    await worker.stop();
    await api.stop();
  });
  beforeEach(async () => {
    owner = await api.business();
    client = await KeyClient.of(api, owner);
    receiver = await newReceiver();
  });
  afterEach(async () => {
    for (const one of receivers.splice(0)) await one.stop();
  });
  return {
    api: () => api,
    owner: () => owner,
    client: () => client,
    worker: () => worker,
    receiver: () => receiver,
    newReceiver,
    async addEndpoint(url = receiver.url, events?: readonly string[], visitor = owner): Promise<Endpoint> {
      const { body } = await visitor.post('/webhook-endpoints', { url, events }).expect(201);
      return body;
    },
    endpoint: async (id: string) => {
      const { body } = await owner.get('/webhook-endpoints').expect(200);
      return body.data.find((one: Endpoint) => one.id === id);
    },
    deliveries: async (query = '') => (await owner.get(`/webhook-deliveries${query}`).expect(200)).body.data,
    /** Settles a new picture of the owner. */
    async complete(input: object = {}): Promise<string> {
      const { task_id: taskId } = await owner.process(input);
      await worker.end(taskId, (run) => worker.finish(run));
      return taskId;
    },
    async announceAll(count: number, input: object = {}): Promise<{ id: string; taskIds: string[] }> {
      const list = Array.from({ length: count }, () => ({ image_content_type: 'image/jpeg' }));
      const { body } = await client.post('/tasks/bulk-upload', { input_task_list: list, ...input }).expect(201);
      for (const target of body.task_list as Announced[]) await put(target, picture.jpeg());
      return { id: body.bulk_upload_id, taskIds: body.task_list.map(({ task_id }: Announced) => task_id) };
    },
    /** Makes waiting retries due. */
    hurry: () => api.sql(`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'pending'`),
  };
}
