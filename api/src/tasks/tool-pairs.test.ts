import { ALLOWANCES, ROLES, type Role, snakeCase, TOOL_ORDER, type ToolName } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { Customer } from '../../test/support/billing/customer.js';
import { picture } from '../../test/support/pictures.js';
import { put, type Visitor, type WireTarget } from '../../test/support/visitor.js';
import { waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

const fixture = useResultsFixture();

/** `repair` is behind a flag. */
type PairedTool = Exclude<ToolName, 'repair'>;

const MODELS: Readonly<Record<PairedTool, readonly [string, string]>> = {
  backgroundEnhance: ['base', 'v1'],
  faceEnhance: ['base', 'v2'],
  fade: ['base', 'v1'],
  faceLifting: ['natural', 'movie'],
  bokeh: ['low', 'high'],
  colorEnhance: ['golden', 'softWarm'],
};

type Choice = readonly [tool: PairedTool, model: string];
const choices: Choice[] = TOOL_ORDER.filter((tool) => tool !== 'repair').flatMap((tool) =>
  MODELS[tool].map((model): Choice => [tool, model]),
);
const pairs = choices.flatMap((one, index) =>
  choices.slice(index + 1).flatMap((other) => (other[0] === one[0] ? [] : [[one, other] as const])),
);
const pipelineOf = (pair: readonly Choice[]) =>
  Object.fromEntries(pair.map(([tool, model]) => [snakeCase(tool), { model }]));

const lockedTools = (role: Role, pair: readonly Choice[]): string[] =>
  pair.flatMap(([tool, model]) => {
    const models = ALLOWANCES[role].tools[tool];
    return models === 'all' || models?.includes(model) ? [] : [snakeCase(tool)];
  });

const visitors: Readonly<Record<Role, () => Promise<Visitor>>> = {
  guest: async () => fixture.guest,
  base: () => fixture.api.member(),
  credits: async () => {
    const { visitor } = await Customer.member(fixture.api);
    const { web_user_id } = await visitor.me();
    await fixture.api.sql(
      `INSERT INTO credit_entries (id, user_id, amount, reason, task_id, created_at)
       VALUES (gen_random_uuid(), $1, 1, 'purchase', NULL, now())`,
      [web_user_id],
    );
    return visitor;
  },
  personal: async () => {
    const customer = await Customer.member(fixture.api);
    await customer.subscribe();
    return customer.visitor;
  },
  business: async () => fixture.business,
};

describe('pairs of tools', () => {
  it.each(ROLES)('are accepted for %s as the plan table says', async (role) => {
    const visitor = await visitors[role]();
    expect((await visitor.me()).role).toBe(role);
    for (const pair of pairs) {
      const locked = lockedTools(role, pair);
      const { status, body } = await visitor.post('/tasks/bulk-upload', {
        image_content_type: 'image/jpeg',
        ai_pipeline: pipelineOf(pair),
      });
      if (locked.length === 0) expect([pair, status]).toEqual([pair, 201]);
      else {
        expect([pair, status, body.error_code]).toEqual([pair, 403, 'pipeline.not_in_plan']);
        expect(locked).toContain(body.details.tool);
      }
    }
  });

  it('reach the worker together, and are named in the recipe', async () => {
    const { business, worker } = fixture;
    const chosen = pairs.filter(([[one, a], [other, b]]) => a === MODELS[one][1] && b === MODELS[other][1]);
    const input_task_list = chosen.map((pair) => ({ image_content_type: 'image/jpeg', ai_pipeline: pipelineOf(pair) }));
    const { body } = await business.post('/tasks/bulk-upload', { input_task_list }).expect(201);
    await Promise.all(body.task_list.map((target: WireTarget) => put(target, picture.jpeg())));
    await business.post(`/tasks/bulk-upload/${body.bulk_upload_id}/process`).expect(202);
    for (const [index, pair] of chosen.entries()) {
      const { task_id } = body.task_list[index];
      await worker.end(task_id, (run) => worker.finish(run));
      const { result } = await waitForStatus(business, task_id, 'completed');
      expect(result.outputs[0].recipe.ai_pipeline).toEqual(pipelineOf(pair));
    }
    expect(chosen).toHaveLength(15);
  });

  it('can be previewed by everyone', async () => {
    const { guest, worker } = fixture;
    const task = await guest.process();
    await worker.end(task.task_id, (run) => worker.finish(run));
    await waitForStatus(guest, task.task_id, 'completed');
    const ai_pipeline = { face_lifting: { model: 'glam' }, color_enhance: { model: 'teal' } };
    const input_reprocess_list = [{ client_task_id: task.task_id, ai_pipeline, preview: true }];
    await guest.post(`/tasks/bulk-upload/${task.bulk_upload_id}/reprocess`, { input_reprocess_list }).expect(202);
    await worker.end(task.task_id, (run) => worker.finish(run));
    const { result } = await waitForStatus(guest, task.task_id, 'completed');
    expect(result.outputs[0]).toMatchObject({ is_preview: true, has_watermark: true, ai_pipeline });
  });
});
