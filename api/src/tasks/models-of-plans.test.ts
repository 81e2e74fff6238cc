import type { Settings } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { Customer } from '../../test/support/billing/customer.js';
import type { Visitor } from '../../test/support/visitor.js';
import { createFinishedTask, waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

type RequiredPlan = Settings['aiPipelineConfig'][number]['models'][number]['requiredPlan'];
interface WireOffer {
  readonly tool: string;
  readonly models: readonly { readonly model: string; readonly required_plan: RequiredPlan }[];
}

const fixture = useResultsFixture();

/** Each model of each tool that the settings offer. */
async function readOffers(visitor: Visitor) {
  const device = { local_storage_id: 'models', device_type: 'desktop', language: 'en' };
  const { body: settings } = await visitor.post('/settings', device).expect(200);
  return (settings.ai_pipeline_config as WireOffer[]).flatMap(({ tool, models }) =>
    models.map(({ model, required_plan }) => ({ ai_pipeline: { [tool]: { model } }, required_plan })),
  );
}

async function customer(purchase: (customer: Customer) => Promise<unknown>): Promise<Visitor> {
  const member = await Customer.member(fixture.api);
  await purchase(member);
  return member.visitor;
}

it.each<[who: string, plan: RequiredPlan, open: () => Visitor | Promise<Visitor>]>([
  ['a guest', 'base', () => fixture.guest],
  ['a member without a plan', 'base', () => customer(async () => undefined)],
  ['a buyer of downloads', 'base', () => customer((member) => member.buy())],
  ['a subscriber of Personal', 'personal', () => customer((member) => member.subscribe('personal_weekly_usd'))],
])('for %s, each model is applied if the plan (%s) has it, else as a preview only', async (_who, plan, open) => {
  const { worker } = fixture;
  const visitor = await open();
  const { bulk_upload_id, task_id } = await createFinishedTask(visitor, worker);
  const offers = await readOffers(visitor);
  expect(offers).toHaveLength(22);
  for (const { ai_pipeline, required_plan } of offers) {
    const isPreview = required_plan !== 'base' && required_plan !== plan;
    const order = (preview: boolean) =>
      visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/reprocess`, {
        input_reprocess_list: [{ client_task_id: task_id, ai_pipeline, preview }],
      });
    if (isPreview) expect((await order(false).expect(403)).body.error_code).toBe('pipeline.not_in_plan');
    await order(isPreview).expect(202);
    await worker.end(task_id, (run) => worker.finish(run));
    const { result } = await waitForStatus(visitor, task_id, 'completed');
    expect(result.outputs[0]).toMatchObject({
      ai_pipeline,
      is_preview: isPreview,
      has_watermark: plan === 'base' || isPreview,
    });
  }
});
