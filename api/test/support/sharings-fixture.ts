import { BASE_PATH } from '@clearframe/contract';
import { expect } from 'vitest';
import { until } from './until.js';
import type { Visitor } from './visitor.js';
import { createFinishedTask } from './workers/results.js';
import { type ResultsFixture, useResultsFixture } from './workers/results-fixture.js';

export const SIDES = ['input', 'output'] as const;

export const share = (visitor: Visitor, taskId: string) => visitor.post(`/tasks/${taskId}/share`);

export function useSharings() {
  const fixture: ResultsFixture = useResultsFixture();
  const open = (id: string) => fixture.api.http.get(`${BASE_PATH}/sharings/${id}`);
  const file = (id: string, name: string) => fixture.api.http.get(`/media/shares/${id}/${name}`);
  return {
    fixture,
    open,
    file,
    filesOf: async (taskId: string) => (await fixture.api.files()).filter((key) => key.includes(taskId)),
    shared: async (visitor: Visitor) => {
      const { task_id } = await createFinishedTask(visitor, fixture.worker, { file_name: 'grandma-secret.jpg' });
      const { body } = await share(visitor, task_id).expect(201);
      return { taskId: task_id, id: body.sharing_id as string, body };
    },
    preview: (id: string) =>
      until(async () => {
        const { body } = await open(id).expect(200);
        return body.preview_url !== null && body;
      }, 'the preview'),
    expectClosed: async (id: string, status: 404 | 410): Promise<void> => {
      const code = status === 404 ? 'sharings.not_found' : 'sharings.expired';
      expect((await open(id).expect(status)).body.error_code).toBe(code);
      for (const name of [...SIDES, 'preview'])
        expect((await file(id, name).expect(status)).body.error_code).toBe(code);
    },
  };
}
